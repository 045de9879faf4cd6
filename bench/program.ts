/**
 * Runs parts of a measurement (load, mail sink, references) in their own processes, so that none shares an event
 * loop with another. The bench sends questions and the program answers; a program ends with the bench, even on a
 * crash.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

interface Question {
  readonly id: number;
  readonly question: unknown;
}

interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** The side that sends questions. */
export class Program {
  private readonly open = new Map<
    number,
    { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void }
  >();
  private asked = 0;

  private constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
  ) {
    child.on('message', ({ id, answer, error }: Answer) => {
      const waiting = this.open.get(id);
      this.open.delete(id);
      if (error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(`${name}: ${error}`));
    });
    child.once('exit', (code, signal) => {
      for (const { reject } of this.open.values()) reject(new Error(`${name} ended with ${signal ?? code}.`));
    });
  }

  /** @param name file of the program below bench/, without its extension. */
  static start(name: string): Program {
    const file = join(import.meta.dirname, `${name}.js`);
    return new Program(
      name,
      fork(file, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
    );
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @throws Error with the program's own message when it cannot answer. */
  ask<Reply>(question: unknown): Promise<Reply> {
    if (!this.child.connected) return Promise.reject(new Error(`${this.name} has ended.`));
    const id = this.asked++;
    return new Promise<Reply>((resolve, reject) => {
      this.open.set(id, { resolve: (answer) => resolve(answer as Reply), reject });
      this.child.send({ id, question } satisfies Question);
    });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.connected) this.child.disconnect();
    await gone;
  }
}

/** Starts a program for a single question, such as a reference that is measured once. */
export async function askOnce<Reply>(name: string, question: unknown): Promise<Reply> {
  const program = Program.start(name);
  try {
    return await program.ask<Reply>(question);
  } finally {
    await program.stop();
  }
}

/** The side that answers: call once in a program. */
export function answerQuestions<Asked>(answer: (question: Asked) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ id, question }: Question) => {
    void answer(question as Asked)
      .then(
        (reply): Answer => ({ id, answer: reply }),
        (error: unknown): Answer => ({
          id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      )
      .then((message) => process.send?.(message));
  });
}
