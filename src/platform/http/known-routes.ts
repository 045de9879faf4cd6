/**
 * Which methods a path has, so that a wrong method on a right path answers 405 with Allow and not 404. The router
 * itself only knows "no route", so this is asked for unmatched requests alone.
 */
export class KnownRoutes {
  private readonly methods = new Map<string, Set<string>>();

  /** @param pattern as the router writes it, such as `/v1/flows/:id`. */
  add(pattern: string, methods: readonly string[]): void {
    const known = this.methods.get(pattern) ?? new Set<string>();
    for (const method of methods) known.add(method);
    this.methods.set(pattern, known);
  }

  /** The methods that a path answers to, sorted; none when no route has the path. */
  methodsOf(url: string): readonly string[] {
    const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
    const found = new Set<string>();
    for (const [pattern, methods] of this.methods) {
      if (fits(segmentsOf(pattern), segments)) for (const method of methods) found.add(method);
    }
    return [...found].sort();
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').slice(1);
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, i) => part === path[i] || (part.startsWith(':') && path[i] !== ''))
  );
}
