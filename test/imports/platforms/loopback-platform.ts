/**
 * A fake platform on a real HTTP server on loopback. Subclasses define the answers. Tests add faults: each affects
 * one request of a path, in order.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON body of a POST. */
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  /** JSON, or the bytes of a file. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Fault {
  readonly path: RegExp;
  /** Replaces the answer: a reply, the raw text of a body, or an answer cut off in the middle. */
  readonly reply?: Reply;
  readonly text?: string;
  readonly isCut?: boolean;
}

export abstract class LoopbackPlatform {
  /** The received requests, with their query. */
  readonly asked: Request[] = [];
  private readonly faults: Fault[] = [];
  private server: Server | undefined;

  protected abstract readonly contentType: string;

  /** The answer to a request with the right key. */
  protected abstract answer(request: Request): Reply;

  /** A promise that delays the answer to a request; undefined for no delay. */
  protected held(_request: Request): Promise<void> | undefined {
    return undefined;
  }

  /** The answer to a request with a wrong key; undefined for the right one. */
  protected abstract refusal(request: Request): Reply | undefined;

  get url(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    const server = createServer((incoming, response) => {
      const url = new URL(incoming.url ?? '/', 'http://loopback');
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('end', () => {
        const request = {
          method: incoming.method ?? 'GET',
          path: url.pathname,
          query: url.searchParams,
          headers: incoming.headers,
          body: jsonIn(Buffer.concat(pieces).toString('utf8')),
        };
        this.asked.push(request);
        const held = this.held(request);
        if (held) void held.then(() => this.reply(request, response));
        else this.reply(request, response);
      });
    });
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(0, '127.0.0.1', resolve),
    );
    this.server = server;
    return this;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Applies these faults to the next requests of a path, one each. */
  failNext(path: RegExp, ...faults: Omit<Fault, 'path'>[]): void {
    this.faults.push(...faults.map((fault) => ({ path, ...fault })));
  }

  private reply(request: Request, response: ServerResponse): void {
    const index = this.faults.findIndex(({ path }) => path.test(request.path));
    const [fault] = index === -1 ? [] : this.faults.splice(index, 1);
    const { status, body, headers } = fault?.reply ?? this.refusal(request) ?? this.answer(request);
    const file = Buffer.isBuffer(body) && fault?.text === undefined ? body : null;
    const bytes = file ?? Buffer.from(fault?.text ?? JSON.stringify(body));
    response.writeHead(fault?.text === undefined ? status : 200, {
      'content-type': file ? 'application/octet-stream' : this.contentType,
      'content-length': String(bytes.length),
      ...headers,
    });
    if (!fault?.isCut) {
      response.end(bytes);
      return;
    }
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
