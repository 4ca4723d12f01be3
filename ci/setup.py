#!/usr/bin/env python3
"""Set up Folkmoot in `.venv` and run one job, with nothing but Python's standard library.

    python3 ci/setup.py demo [OPTIONS]    the demonstration game, then its site (options of `moot demo`)
    python3 ci/setup.py test [OPTIONS]    the tests (options of pytest)
    python3 ci/setup.py moot [ARGUMENTS]  any other command
    python3 ci/setup.py install           only the set-up

Works where the system's pip refuses to install (PEP 668) and where `venv` has no `ensurepip`: the environment is made
without pip, pip is then brought in by whatever this machine has, and everything else is installed from the lock files
with their hashes. The package index is the one that pip is configured with.
"""

import configparser
import glob
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import urllib.parse
import urllib.request
from subprocess import DEVNULL

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts", "python.exe") if os.name == "nt" else os.path.join(VENV, "bin", "python")
ENGINE = os.path.join(ROOT, "engine")
STAMP = os.path.join(VENV, "folkmoot-setup.txt")
LOCK = os.path.join(ROOT, "requirements.lock")
LOCK_OF_TESTS = os.path.join(ROOT, "requirements-dev.lock")
JOBS = {
    "demo": (LOCK, ["-m", "folkmoot", "demo"]),
    "moot": (LOCK, ["-m", "folkmoot"]),
    "install": (LOCK, None),
    "test": (LOCK_OF_TESTS, ["-m", "pytest", "-n", "auto", "--dist", "worksteal"]),
}
UNWANTED = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIREMENT", "PIP_CONSTRAINT", "PYTHONHOME")
NO_PIP = """\
This machine has no pip, and none could be fetched. Do one of these, then run the same command again:
  - install your system's package of it (Debian, Ubuntu: apt-get install python3-pip; Fedora: dnf install python3-pip);
  - set PIP_INDEX_URL to the address of your package index, so that pip can be fetched from there."""


class SetupError(Exception):
    """What a person has to put right before the set-up can go on."""


def main(arguments):
    """Set up what the named job needs, run it, and return its exit code."""
    if not arguments or arguments[0] not in JOBS:
        print(__doc__.strip(), file=sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    if sys.version_info < OLDEST:
        return run_with_newer_python(arguments)
    lock, command = JOBS[arguments[0]]
    try:
        prepare(lock)
    except SetupError as error:
        print("setup: %s" % error, file=sys.stderr)
        return 1
    if command is None:
        return 0
    return run_job([PYTHON] + command + arguments[1:])


def run_job(command):
    """Run a job in the clone's folder; an interrupt is the job's to handle, and it ends when this is to end."""
    process = subprocess.Popen(command, cwd=ROOT)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def run_with_newer_python(arguments):
    """Hand over to a Python on the path that is new enough, or say what is needed."""
    for minor in (13, 12, 11, 14):
        other = shutil.which("python3.%d" % minor)
        if other:
            return run_job([other, os.path.abspath(__file__)] + arguments)
    print("setup: Folkmoot needs Python 3.11 or newer; this is %s." % sys.version.split()[0], file=sys.stderr)
    return 1


def prepare(lock):
    """Make `.venv` hold the locked packages and this project; quick when it already does."""
    wanted = fingerprint(lock)
    done = read_text(STAMP).splitlines() if os.path.exists(PYTHON) else []
    if set(wanted) <= set(done):
        return
    if wanted[0] not in done:
        make_environment()
    bring_in_pip()
    say("installing %d locked packages (a minute or two the first time)" % read_text(lock).count("=="))
    pip("install", "--no-compile", "--no-deps", "--require-hashes", "--requirement", lock)
    # By all cores, what pip does by one; and beforehand, for each command is a process of its own.
    words = [PYTHON, "-m", "compileall", "-q", "-j", "0", site_packages(), ENGINE]
    compiling = subprocess.Popen(words, stdout=DEVNULL, stderr=DEVNULL)
    pip("install", "--no-deps", "--no-build-isolation", "--editable", ROOT)
    compiling.wait()
    keep = [line for line in done if wanted[0] in done and line.split()[0] not in {w.split()[0] for w in wanted}]
    with open(STAMP, "w", encoding="utf-8") as stamp:
        stamp.write("\n".join(wanted + keep) + "\n")


def fingerprint(lock):
    """Return lines that change when the set-up must be done again; the first stands for the environment itself."""
    files = [lock, os.path.join(ROOT, "pyproject.toml")]
    if lock == LOCK_OF_TESTS:
        files.append(LOCK)  # the tests' packages include the others
    digests = ["%s %s" % (os.path.basename(f), digest(read_bytes(f).replace(b"\r\n", b"\n"))) for f in files]
    return ["environment %s of %s" % (VENV, sys.version.split()[0])] + digests


def make_environment():
    """Make an empty `.venv`; one that another Python or another folder left is replaced."""
    if os.path.isdir(VENV):
        if not os.path.exists(os.path.join(VENV, "pyvenv.cfg")) and os.listdir(VENV):
            raise SetupError("%s is there and is no virtual environment; move it away" % VENV)
        shutil.rmtree(VENV)
    say("making .venv with Python %s" % sys.version.split()[0])
    made = attempt([sys.executable, "-m", "venv", "--without-pip", VENV])
    if not made and not attempt([sys.executable, "-m", "virtualenv", "--quiet", VENV]):
        raise SetupError(
            "this Python cannot make a virtual environment (no module `venv`); install your system's package of it "
            "(Debian, Ubuntu: apt-get install python3-venv)"
        )


def bring_in_pip():
    """Put pip into `.venv` by the first way that works here."""
    ways = (pip_by_ensurepip, pip_by_pip, pip_by_old_pip, pip_by_uv, pip_by_system_wheel, pip_by_index)
    if has_pip() or any(way() and has_pip() for way in ways):
        return
    raise SetupError(NO_PIP)


def has_pip():
    """Tell whether the environment's Python can run pip."""
    return attempt([PYTHON, "-m", "pip", "--version"])


def pip_by_ensurepip():
    """Unpack the pip that comes with Python; many distributions leave it out."""
    return attempt([PYTHON, "-m", "ensurepip"])


def pip_by_pip():
    """Let a pip outside the environment install one into it (pip 22.3 and newer can)."""
    outside = [[sys.executable, "-m", "pip"]] + [[p] for p in map(shutil.which, ("pip3", "pip")) if p]
    return any(attempt(way + ["--python", PYTHON, "install", "pip"]) for way in outside)


def pip_by_old_pip():
    """Let an older pip unpack one into the environment's folder, which no distribution's pip refuses."""
    return attempt([sys.executable, "-m", "pip", "install", "--target", site_packages(), "pip"])


def pip_by_uv():
    """Let uv install pip where it is the machine's installer."""
    uv = shutil.which("uv")
    return bool(uv) and attempt([uv, "pip", "install", "--python", PYTHON, "pip"])


def pip_by_system_wheel():
    """Use the wheel that a distribution keeps for its own virtual environments."""
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), "/usr/share/python-wheels", "/usr/share/python3-wheels"]
    wheels = [wheel for folder in folders if folder for wheel in glob.glob(os.path.join(folder, "pip-*.whl"))]
    return any(install_wheel(wheel) for wheel in wheels)


def pip_by_index():
    """Fetch the locked pip from the configured index without pip, checking its hash."""
    locked = re.search(r"^pip==.*(?:\n    .*)*", read_text(LOCK), re.MULTILINE)
    hashes = set(re.findall(r"sha256:([0-9a-f]{64})", locked.group())) if locked else set()
    for link in (link for index in configured_indexes() for link in links_of(index)):
        if link.split("#")[0].endswith(".whl") and any("sha256=" + known in link for known in hashes):
            content = fetch(link.split("#")[0])
            if digest(content) in hashes:
                return install_fetched(link, content)
    return False


def install_fetched(link, content):
    """Install a wheel from its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = os.path.join(folder, os.path.basename(urllib.parse.urlsplit(link).path))
        with open(wheel, "wb") as file:
            file.write(content)
        return install_wheel(wheel)


def install_wheel(wheel):
    """Run pip out of its own wheel to install that wheel."""
    return attempt([PYTHON, os.path.join(wheel, "pip"), "install", "--no-index", "--no-deps", wheel])


def configured_indexes():
    """Return the addresses of the package indexes that pip's or uv's configuration names."""
    names = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX")
    found = " ".join(os.environ.get(name, "") for name in names).split()
    homes = [os.path.join(os.path.expanduser("~"), *folder) for folder in ((".config", "pip"), (".pip",))]
    places = [os.path.join(folder, "pip.conf") for folder in [*homes, "/etc", "/etc/xdg/pip"]]
    for place in [os.environ.get("PIP_CONFIG_FILE", ""), *places]:
        config = configparser.RawConfigParser()
        config.read(place)
        for key in ("index-url", "extra-index-url"):
            found += config.get("global", key, fallback="").split()
    return [address if re.match(r"\w+:", address) else address.split("=", 1)[-1] for address in found]


def links_of(index):
    """Return the links on an index's page of pip, or none where the index does not answer."""
    page = index.rstrip("/") + "/pip/"
    try:
        text = fetch(page).decode("utf-8", "replace")
    except OSError:
        return []
    return [urllib.parse.urljoin(page, link) for link in re.findall(r"href=[\"']([^\"']+)", text)]


def fetch(address):
    """Return the bytes behind an address of a configured index."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def site_packages():
    """Return the folder of the environment's packages."""
    script = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return subprocess.run([PYTHON, "-c", script], stdout=subprocess.PIPE, check=True).stdout.decode().strip()


def pip(*arguments):
    """Run the environment's pip, showing its errors and no warnings: those of build tools say nothing to a player."""
    command = [PYTHON, "-m", "pip", *arguments, "-qq", "--disable-pip-version-check", "--no-warn-script-location"]
    if subprocess.call(command, env=environment(), cwd=ROOT):
        raise SetupError("pip could not install the packages; its own words are above. Is the package index in reach?")


def attempt(command):
    """Run a command quietly; tell whether it worked."""
    try:
        return subprocess.run(command, env=environment(), capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def environment():
    """Return the environment for pip, without settings that would make it install elsewhere."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    return {**kept, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_NO_INPUT": "1"}


def digest(content):
    """Return the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def read_bytes(path):
    """Return a file's bytes."""
    with open(path, "rb") as file:
        return file.read()


def read_text(path):
    """Return a file's text, nothing where there is no file."""
    return read_bytes(path).decode("utf-8") if os.path.exists(path) else ""


def say(sentence):
    """Tell what is going on."""
    print("setup: %s" % sentence, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
