/**
 * Finds one text in another in time linear in both. The engine's own search can take time proportional to the product
 * of their lengths on crafted texts (`aaaa…` in search of `baaa…`), and both texts may come from data.
 */

/** Up to this length the engine's search is faster, even in its worst case. */
const MAX_NATIVE_SEARCH_LENGTH = 16;

/** The offsets at which `search`, which is not empty, occurs in `text`, from left to right, without overlap. */
export function* offsetsOf(text: string, search: string): Generator<number> {
  if (search.length <= MAX_NATIVE_SEARCH_LENGTH) {
    for (
      let offset = text.indexOf(search);
      offset >= 0;
      offset = text.indexOf(search, offset + search.length)
    )
      yield offset;
    return;
  }
  const prefixTable = prefixTableOf(search);
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    while (matched > 0 && search.charCodeAt(matched) !== code) matched = prefixTable[matched - 1] ?? 0;
    if (search.charCodeAt(matched) === code) matched++;
    if (matched === search.length) {
      yield index + 1 - matched;
      matched = 0;
    }
  }
}

/** Whether `text` contains `search`. */
export function includes(text: string, search: string): boolean {
  return search.length <= MAX_NATIVE_SEARCH_LENGTH || search.length > text.length
    ? text.includes(search)
    : offsetsOf(text, search).next().done === false;
}

/** For each character of `search`: the length of the longest prefix that ends there again (Knuth, Morris and Pratt). */
function prefixTableOf(search: string): Uint32Array {
  const prefixTable = new Uint32Array(search.length);
  let matched = 0;
  for (let index = 1; index < search.length; index++) {
    const code = search.charCodeAt(index);
    while (matched > 0 && search.charCodeAt(matched) !== code) matched = prefixTable[matched - 1] ?? 0;
    if (search.charCodeAt(matched) === code) matched++;
    prefixTable[index] = matched;
  }
  return prefixTable;
}
