// What a page of players' text must not hold, and what must be as on any other page.
function look(page) {
  const inside = page.querySelector('main');
  const all = [...inside.querySelectorAll('*')];
  const bad = [];
  const ACTIVE = new RegExp('^(script|iframe|frame|object|embed|style|link|meta|base|form|input|textarea|select|button|' +
    'img|video|audio|picture|source|template|dialog|math|animate|set|foreignObject|use|image)$', 'i');
  const ADDRESS = /^[\s\x00-\x1f]*(javascript|data|vbscript|file):/i;
  for (const element of all) {
    for (const attribute of element.attributes) {
      const said = `${element.tagName} ${attribute.name}=${attribute.value.slice(0, 60)}`;
      if (attribute.name.startsWith('on')) bad.push('handler ' + said);
      if (['href', 'src', 'action', 'xlink:href'].includes(attribute.name) && ADDRESS.test(attribute.value))
        bad.push('address ' + said);
      if (attribute.name === 'style') bad.push('style ' + said);
    }
    // Fields, choices and steps of lists and boards, rows of cells, and what opens the bar of time are our own, and hold
    // nothing of anybody's.
    const made = '.field > input[type=search], .chips > label > input[type=radio], .track > input[type=radio], .fm-time > button, .board > svg > use[href^="#b"]';
    if (ACTIVE.test(element.tagName) && !element.matches(made)) bad.push('element ' + element.outerHTML.slice(0, 80));
    const away = element.tagName === 'A' && /^https?:$/.test(element.protocol) && element.host !== location.host;
    const ours = element.classList.contains('fm-outward') && element.rel === 'noopener noreferrer nofollow' &&
      /^https:\/\/forge\.example\/ann\/mail-game\/(edit\/main\/state\/|new\/main\?filename=state|issues\/new\?template=)/
        .test(element.href) && !element.hash;
    if (away && !ours && element.rel !== 'nofollow ugc noopener') bad.push('link ' + element.href.slice(0, 60));
  }
  const ids = all.map(element => element.id).filter(Boolean);
  const doubled = ids.find((id, n) => ids.indexOf(id) !== n);
  if (doubled) bad.push('doubled id ' + doubled);
  // Without how something looks just now, such as the shadow of a header below which a page was scrolled.
  const name = element => element.tagName + [...element.classList].filter(k => !k.includes('--')).join('.');
  const around = selector => [...page.querySelectorAll(selector)].map(name);
  return {
    bad,
    ran: page.documentElement.dataset.ran || null,
    frame: around('body > :not(.sub), .top .wrap > *, body:has(> .top) > main > *, .foot > *'),
    scripts: page.scripts.length,
    head: page.head.querySelectorAll('script,style,link,meta,base').length,
    wide: page === document ? document.documentElement.scrollWidth - innerWidth : 0,
    text: inside.textContent.length,
    title: page.title.slice(-8),
  };
}
