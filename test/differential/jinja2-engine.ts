/** Runs the real Jinja2 in one Python process (render.py), as the reference for renderings. */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { RenderContext } from '../../src/language/language.js';

const PROGRAM = join(import.meta.dirname, 'render.py');

/**
 * A rendering twice: `alike` spells true, null and 3.0 as Waypost does, `exact` as Python does. Or `error`: the
 * exception that Python raised, for instance for an operation on a missing value.
 */
export type Jinja2Answer = Jinja2Text | { readonly error: string };

export interface Jinja2Text {
  readonly alike: string;
  readonly exact: string;
}

/** The first Python that has Jinja2, or undefined. */
export function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (program) => spawnSync(program, ['-c', 'import jinja2'], { stdio: 'ignore' }).status === 0,
  );
}

export class Jinja2Engine {
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  private readonly answers: AsyncIterator<string>;

  constructor(python: string) {
    this.process = spawn(python, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  /** Renders one template with the data of a message; calls must not overlap. */
  async render(template: string, context: RenderContext): Promise<Jinja2Answer> {
    this.process.stdin.write(`${JSON.stringify({ template, context: dataOf(context) })}
`);
    const { value, done } = await this.answers.next();
    if (done === true) throw new Error('The Python process has ended.');
    return JSON.parse(value) as Jinja2Answer;
  }

  close(): void {
    this.process.stdin.end();
  }
}

/** The data under the names that Waypost's Jinja2 templates use. */
function dataOf({ contact, triggerEvent, events = {} }: RenderContext): Record<string, unknown> {
  const latest = Object.entries(events).map(([name, { attributes }]) => [name, attributes] as const);
  return {
    contact,
    event: triggerEvent?.attributes ?? {},
    trigger_event: triggerEvent ?? {},
    events: Object.fromEntries(latest),
  };
}
