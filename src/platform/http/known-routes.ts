/**
 * Records the methods of each path, so that a wrong method on a valid path returns 405 with Allow instead of 404. Used
 * only for requests that match no route.
 */
export class KnownRoutes {
  private readonly methods = new Map<string, Set<string>>();

  /** @param pattern in the router's notation, such as `/v1/flows/:id`. */
  add(pattern: string, methods: readonly string[]): void {
    const known = this.methods.get(pattern) ?? new Set<string>();
    for (const method of methods) known.add(method);
    this.methods.set(pattern, known);
  }

  /** The methods of a path, sorted; empty if no route has the path. */
  methodsOf(url: string): readonly string[] {
    const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
    const found = new Set<string>();
    for (const [pattern, methods] of this.methods) {
      if (matches(segmentsOf(pattern), segments)) for (const method of methods) found.add(method);
    }
    return [...found].sort();
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').slice(1);
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, i) => part === path[i] || (part.startsWith(':') && path[i] !== ''))
  );
}
