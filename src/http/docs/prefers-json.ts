/** Browsers send some 200 characters. What comes after these is not looked at. */
const LENGTH_MAX = 1_000;
/** The most exact first. */
const HTML_RANGES = ['text/html', 'text/*', '*/*'];
const JSON_RANGES = ['application/json', 'application/*', '*/*'];

interface Wish {
  readonly quality: number;
  /** 0 for the most exact range. */
  readonly range: number;
  /** Place in the header. */
  readonly place: number;
}

/** True when a caller names pages and does not prefer JSON. Browsers do that, programs do not. */
export function prefersHtml(accept = ''): boolean {
  return /text\/html/i.test(accept.slice(0, LENGTH_MAX)) && !prefersJson(accept);
}

/**
 * True when a caller asks for JSON rather than for a page. Quality decides, then the more exact name, then the first
 * one. When both are equal it is a page.
 * @param accept the Accept header
 */
export function prefersJson(accept = '*/*'): boolean {
  const ranges = accept
    .slice(0, LENGTH_MAX)
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()));
  const json = findWish(ranges, JSON_RANGES);
  const html = findWish(ranges, HTML_RANGES);
  const difference = json.quality - html.quality || html.range - json.range || html.place - json.place;
  return difference > 0;
}

function findWish(given: readonly (readonly string[])[], wanted: readonly string[]): Wish {
  for (const [range, type] of wanted.entries()) {
    const place = given.findIndex(([name]) => name === type);
    if (place === -1) continue;
    const quality = given[place]?.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { quality: quality === undefined ? 1 : Number(quality) || 0, range, place };
  }
  return { quality: 0, range: wanted.length, place: 0 };
}
