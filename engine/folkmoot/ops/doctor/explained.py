"""Every code of a finding: what is looked at, why it matters, and how it is mended; the reference is made from this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a code is about: a title, and a text for people."""

    title: str
    text: str


CODES: Mapping[str, Explanation] = {
    # -- on this machine
    "git": Explanation(
        "git is new enough",
        "The referee needs git 2.31 or newer: from then on git takes a token by its environment, so that it "
        "stands in no list of processes. Install a newer git.",
    ),
    "repository": Explanation(
        "There is a repository with a commit",
        "Everything lives in one git repository. Run the command inside of it, or name it with `moot -C FOLDER "
        "doctor`.",
    ),
    "clean": Explanation(
        "Nothing lies here uncommitted",
        "What is not committed and pushed is not what the referee sees. Commit it and push, or put it away. Below "
        "`state/` nothing is ever changed by hand: `git checkout -- state` takes such changes back.",
    ),
    "game": Explanation(
        "A game is played by pull requests",
        "`moot new NAME --forge github --home URL` founds a game for a forge; a game that one person has kept so "
        "far goes there with `moot init --forge github --home URL`.",
    ),
    "remote": Explanation(
        "The repository knows its forge",
        "The remote `origin` must lead to the forge: `git remote add origin https://HOST/OWNER/NAME.git`, or `git "
        "remote set-url origin …`.",
    ),
    "home": Explanation(
        "The game says where it lies",
        "Links on the site, in comments and in forms start from the home that the game has on record. An "
        "administrator says it with `/do use_forge forge=github home=https://HOST/OWNER/NAME`, or anew after the "
        "repository moved.",
    ),
    "pushed": Explanation(
        "What is here is on the forge",
        "The branch here and on the forge differ. `git push` brings your commits there, `git pull --rebase` the "
        "newest entries here.",
    ),
    "attributes": Explanation(
        "git keeps the bytes of the record",
        "The journal is a chain of digests of exact bytes. `.gitattributes` must hold the line `state/** -text`, "
        "so that git never converts line ends there. `moot init` writes it.",
    ),
    "lock": Explanation(
        "The engine is pinned",
        "The workflows install the engine by version and hash, as `ci/engine.lock` says; without it they stop. "
        "`moot pin` writes it. The version on this machine should be the pinned one, so that what is tried here "
        "goes the same way there.",
    ),
    "workflows": Explanation(
        "The workflow files are those of this engine",
        "They are generated and should not be edited. `moot init` writes them anew; look at the difference, "
        "commit it, and let the maintainers review it where it comes by a pull request. Forgejo reads "
        "`.forgejo/workflows/`, Gitea `.gitea/workflows/`: on Gitea move them there once, and they stay there.",
    ),
    "forms": Explanation(
        "The forms are those of this engine",
        "Who does not use git plays by forms, which are files of the repository. `moot forms` writes them anew.",
    ),
    "codeowners": Explanation(
        "The maintainers own what they must review",
        "CODEOWNERS makes the forge ask the maintainers for a review when a pull request changes the engine, the "
        "workflows or the site. `moot init` writes it from the game's maintainers.",
    ),
    "site": Explanation(
        "The site knows its address",
        "`site_url`, `repo_url` and `edit_uri` in `mkdocs.yml` make links and the pencil that edits a rule. `moot "
        "init` sets them, for GitHub and Codeberg the address of their Pages too. Where the forge serves the site "
        "elsewhere (a domain of your own), set `site_url` to that. Without it the site has no map for search engines.",
    ),
    "players": Explanation(
        "Players are known on the forge",
        "A player whom the game does not know on this forge is a stranger there: their votes and acts do not count. "
        "An administrator says who they are: `/do identify player=ann forge=github id=583231 login=ann` (the numeric "
        "id stays when a login is given up).",
    ),
    "chance": Explanation(
        "The master secret is one, and the right one",
        "`FOLKMOOT_CHANCE` must hold 32 or more random bytes in hex or base64, and where a chance epoch is open, "
        "the secret that it was opened with. See [Dice in the forge's "
        "jobs](../guides/github.md#dice-in-the-forges-jobs).",
    ),
    "clock": Explanation(
        "The clock is right",
        "The referee refuses to run on a machine whose clock is more than a minute off the forge's: deadlines "
        "would pass at the wrong time. Let the machine set its clock by the network.",
    ),
    # -- on the forge
    "token": Explanation(
        "There is a token, and the forge accepts it",
        "Put a token into the variable `FOLKMOOT_TOKEN`. To look at all settings it must be that of an "
        "administrator of the repository: on GitHub a fine-grained token for this repository alone with read "
        "access to *Administration*, *Actions*, *Environments*, *Secrets*, *Pages*, *Issues*, *Pull requests*, "
        "*Contents* and *Metadata* (`moot init --apply` needs write access); on Gitea and Forgejo one with the "
        "scope `write:repository` and `write:issue`.",
    ),
    "access": Explanation(
        "The repository is there and can be written to",
        "The forge must know the repository under the name that the remote has, and it must not be archived or "
        "disabled. What belongs to others cannot be played on: fork it, or ask for the right to write.",
    ),
    "unseen": Explanation(
        "Everything could be looked at",
        "The token may not see some settings, so nothing is said of them here. Use a token of an administrator of "
        "the repository, or look at them on the forge yourself.",
    ),
    "unasked": Explanation(
        "What this version of the forge cannot be asked for",
        "An older server has no request for it, whoever asks. Nothing is wrong; look at it in the repository's "
        "settings when you set the game up.",
    ),
    "version": Explanation(
        "The forge is new enough",
        "Gitea 1.21 or Forgejo 7 and newer have what is needed: jobs, and merges that are found after a push.",
    ),
    "branch": Explanation(
        "The game's branch is the default branch",
        "The forge runs schedules and wake-ups from the default branch only. Make the branch with the game the "
        "default branch in the repository's settings.",
    ),
    "issues": Explanation(
        "Issues are switched on",
        "The game is talked about in an issue, and forms are issues. Switch them on in the repository's settings.",
    ),
    "label": Explanation(
        "The label `game` exists",
        "An issue with the label `game` is a statement to the game; forms set it, and an issue cannot get a label "
        "that does not exist. `moot init --apply` makes it.",
    ),
    "thread": Explanation(
        "The game has its thread",
        "The oldest issue with the label `game` is the game's own thread, where acts are stated by comments. It "
        "must be open and not locked. `moot init --apply` opens one.",
    ),
    "merging": Explanation(
        "The forge sees what the referee merged",
        "The referee merges by pushing. Gitea and Forgejo notice that only where pull requests, manual merges and "
        "their detection are switched on, all three. `moot init --apply` does it; otherwise the referee closes "
        "the pull request and says why.",
    ),
    "actions": Explanation(
        "Jobs are switched on",
        "Without jobs nobody referees but you. Switch Actions on in the repository's settings, or run `moot "
        "referee --watch 60` on a machine of yours.",
    ),
    "actions-allowed": Explanation(
        "The actions of the workflows may run",
        "The workflows use actions of GitHub's own (`actions/*`), pinned by digest. Where only chosen actions may "
        "run, allow those made by GitHub.",
    ),
    "job-rights": Explanation(
        "Jobs have few rights unless they ask for more",
        "The workflows ask for exactly the rights that they need. The default for all others should be to read "
        "only, and no job should be able to approve pull requests.",
    ),
    "workflow-missing": Explanation(
        "The forge knows the workflows",
        "A workflow runs only if its file is on the default branch. Push what `moot init` wrote.",
    ),
    "workflow-disabled": Explanation(
        "No workflow is switched off",
        "GitHub switches the schedules of a public repository off after 60 days without a commit "
        "(`disabled_inactivity`). Switch it on again under *Actions* → the workflow → *Enable workflow*, or with "
        "`moot init --apply`. The workflow *clock* is switched off by the referee itself while nothing is awake: "
        "a game that is paused or over costs nothing. It is switched on again when something happens; a comment "
        "in the game's thread is enough.",
    ),
    "waiting-runs": Explanation(
        "No run waits for approval",
        "The check of a first-time contributor's pull request runs only after somebody with write access has "
        "approved it: *Actions* → the run → *Approve and run*. The game does not need it: the referee sees such "
        "pull requests, and votes on them count. Only the preview is missing until then.",
    ),
    "approval": Explanation(
        "Strangers' checks run by themselves, or wait",
        "The setting *Approval for running fork pull request workflows* says whose runs wait. With *first-time "
        "contributors who are new to GitHub* almost nobody waits; the check of a pull request has no secret and "
        "no right to write, so that nothing is lost by it.",
    ),
    "referee-run": Explanation(
        "The referee runs, and ends well",
        "The newest run of the workflow *referee* must have ended well, and not too long ago. Open it to see its "
        "summary; a failed run loses nothing: the next one makes it good. Start one under *Actions* → *referee* → "
        "*Run workflow*.",
    ),
    "publish-run": Explanation(
        "The site is published",
        "The newest run of the workflow *publish* failed, so the site is as it was before. Open it to see why, "
        "then start it again.",
    ),
    "pages": Explanation(
        "Pages come from the workflow",
        "Under *Settings* → *Pages* the source must be *GitHub Actions*. `moot init --apply` sets it.",
    ),
    "environment": Explanation(
        "Secrets are kept for the game's branch alone",
        "The referee's job runs in the environment `referee`. It must be restricted to the default branch: "
        "otherwise a workflow on any other branch could read its secrets. Nobody must have to approve it: the "
        "referee would wait. `moot init --apply` makes it so.",
    ),
    "secret": Explanation(
        "The secret of the dice is there where it is needed",
        "While a chance epoch is open, no die can be thrown without `FOLKMOOT_CHANCE`, and the referee stops at "
        "the first throw. See [Dice in the forge's jobs](../guides/github.md#dice-in-the-forges-jobs), "
        "also for what to do if it is lost. It belongs to the environment `referee`; as a secret of the whole "
        "repository every workflow could read it.",
    ),
    "job-token": Explanation(
        "The referee's job has a token",
        "On Gitea and Forgejo the job of the referee needs a token of an account that may write to the repository, as "
        "the secret `FOLKMOOT_TOKEN`. Give the referee an account of its own: what it says is then known as the "
        "referee's. GitHub gives its jobs a token by itself.",
    ),
    "rules": Explanation(
        "The referee may push to the game's branch",
        "Rules such as *Require a pull request* or *Require status checks* stop the referee's push, because the "
        "built-in bot of jobs may not bypass rules. Either use rules that leave the push free (no force pushes, "
        "no deletion; that is what `moot init --apply` sets), or let a GitHub App bypass them and store its "
        "token, or that of an account of its own, as `FOLKMOOT_TOKEN` in the environment `referee`. Merge commits "
        "must be allowed: no linear history.",
    ),
    "unprotected": Explanation(
        "The game's branch cannot be rewritten",
        "Without protection anybody who may write can force-push the branch, or delete it. The journal shows that "
        "it was done, but play stops. `moot init --apply` forbids both.",
    ),
    "writers": Explanation(
        "Few can write",
        "Who may write to the repository can push to the game's branch and to `refs/moot/*`, which no rule of "
        "GitHub's protects. The referee notices entries that do not chain and stops, but what it had seen can be "
        "deleted. Give players no write access: pull requests from forks are enough.",
    ),
    "locked": Explanation(
        "No conversation is locked",
        "Players cannot comment or vote on a locked pull request or issue. Unlock it.",
    ),
    "moot-refs": Explanation(
        "The referee's own refs are whole",
        "`refs/moot/refereed` is the commit up to which the branch is known to be play. Where the branch does not "
        "come from it, somebody has rewritten one of the two: `moot verify`, then `moot repair`.",
    ),
}
