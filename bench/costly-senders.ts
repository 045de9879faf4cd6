/**
 * Eight clients that send the most expensive bodies. Each sends its next request after the previous answer. Runs
 * in its own process.
 */
import { Agent, request } from 'node:http';
import { filled, HOSTILE_PIECES } from './hostile-templates.js';
import { answerQuestions } from './program.js';

export interface CostlyLoad {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly clients: number;
  readonly seconds: number;
}

export interface CostlyReport {
  /** Number of answers by status. */
  readonly answers: Readonly<Record<number, number>>;
  /** Megabytes sent per second. */
  readonly megabytesPerSecond: number;
}

/** Bytes; slightly below the maximum size of a body. */
const SIZE = 2_000_000;
const DOORS: readonly (readonly [path: string, body: (piece: string) => object])[] = [
  ['/v1/templates/render-inline', (body_html) => ({ body_html })],
  ['/v1/templates/validate', (body_html) => ({ body_html })],
  ['/v1/templates/convert', (content) => ({ content })],
  ['/v1/templates/test-send', (body_html) => ({ body_html, to_emails: ['nobody'] })],
];
/** Pieces that are expensive to parse; the last is one that a real author could write. */
const PIECES = [
  ...['{', '{{', '{%', '{{ x', 'open ifs'].flatMap((name) => HOSTILE_PIECES[name] ?? []),
  '<p>Hi {{ contact.first_name|default("you") }}!</p>',
];

answerQuestions<CostlyLoad>(async ({ port, headers, clients, seconds }) => {
  const requests = PIECES.flatMap((piece) =>
    DOORS.map(([path, body]) => ({ path, text: Buffer.from(JSON.stringify(body(filled(piece, SIZE)))) })),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const answers: Record<number, number> = {};
  const begun = performance.now();
  let bytes = 0;
  const post = (path: string, text: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const length = { 'content-type': 'application/json', 'content-length': text.length };
      request({ port, path, method: 'POST', agent, headers: { ...headers, ...length } }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      })
        .once('error', reject)
        .end(text);
    });
  const client = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() - begun < seconds * 1_000; turn += clients) {
      const next = requests[turn % requests.length];
      if (!next) return;
      const status = await post(next.path, next.text);
      answers[status] = (answers[status] ?? 0) + 1;
      bytes += next.text.length;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index * 3)));
  agent.destroy();
  return {
    answers,
    megabytesPerSecond: bytes / 1e6 / ((performance.now() - begun) / 1_000),
  } satisfies CostlyReport;
});
