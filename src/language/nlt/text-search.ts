/**
 * Finds one text in another in time linear in both. The engine's own search can take time proportional to the product
 * of their lengths on crafted texts (`aaaa…` in search of `baaa…`), and both texts may come from data.
 */

/** Up to this length the engine's search is faster, even in its worst case. */
const SHORT = 16;

/** The offsets at which `search`, which is not empty, occurs in `text`, from left to right, without overlap. */
export function* offsetsOf(text: string, search: string): Generator<number> {
  if (search.length <= SHORT) {
    for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) yield at;
    return;
  }
  const restarts = restartsOf(search);
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    while (matched > 0 && search.charCodeAt(matched) !== code) matched = restarts[matched - 1] ?? 0;
    if (search.charCodeAt(matched) === code) matched++;
    if (matched === search.length) {
      yield index + 1 - matched;
      matched = 0;
    }
  }
}

/** Whether `text` contains `search`. */
export function includes(text: string, search: string): boolean {
  return search.length <= SHORT || search.length > text.length
    ? text.includes(search)
    : offsetsOf(text, search).next().done === false;
}

/** For each character of `search`: the length of the longest prefix that ends there again (Knuth, Morris and Pratt). */
function restartsOf(search: string): Uint32Array {
  const restarts = new Uint32Array(search.length);
  let matched = 0;
  for (let index = 1; index < search.length; index++) {
    const code = search.charCodeAt(index);
    while (matched > 0 && search.charCodeAt(matched) !== code) matched = restarts[matched - 1] ?? 0;
    if (search.charCodeAt(matched) === code) matched++;
    restarts[index] = matched;
  }
  return restarts;
}
