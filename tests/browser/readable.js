// The texts of a page whose colour is too near to what they stand on: tag, class and colour -> [ratio, words].
function unreadable() {
  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = colour => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const ground = element => {
    const layers = [];
    for (; element; element = element.parentElement) layers.push(rgba(getComputedStyle(element).backgroundColor));
    return layers.reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const found = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement, words = walk.currentNode.textContent.trim();
    if (!words || !element.getClientRects().length || element.closest('svg, script, style, noscript')) continue;
    const style = getComputedStyle(element);
    let opacity = 1;
    for (let each = element; each; each = each.parentElement) opacity *= +getComputedStyle(each).opacity;
    if (style.visibility !== 'visible' || opacity < 0.1) continue;
    const below = ground(element), ink = rgba(style.color);
    ink[3] *= opacity;
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    const contrast = ratio(over(ink, below), below);
    if (contrast < (large ? 3 : 4.5)) found[`${element.tagName}.${element.className} ${style.color}`] = [contrast, words];
  }
  return found;
}
