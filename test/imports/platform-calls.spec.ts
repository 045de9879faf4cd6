/**
 * Requests to platforms over the network: what is retried, delayed and given up, which hosts receive keys, and
 * what is downloaded.
 */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { PlatformCalls } from '../../src/modules/imports/application/platform-calls.js';
import {
  AnswerTooLarge,
  RetryLaterError,
  DownloadMissing,
  type SourceCall,
  SourceFailure,
} from '../../src/modules/imports/domain/import-source.js';
import { ImportFileRepository } from '../../src/modules/imports/persistence/import-file.repository.js';
import { OUTBOUND_BOUNDS } from '../../src/platform/outbound/work.js';
import { until } from '../support/until.js';
import { aJob, type Answering, CallsWorld, ScriptedServer } from './support/calls-world.js';

const KEY = 'pk_canary_0123456789';
const OWN = 'https://a.klaviyo.com';

let world: CallsWorld;
let server: ScriptedServer;
let other: ScriptedServer;

beforeAll(async () => {
  world = await CallsWorld.start();
  server = await ScriptedServer.start();
  other = await ScriptedServer.start();
});
beforeEach(() => {
  world.clock.waits.length = 0;
  world.clock.onWait = () => undefined;
});
afterEach(() => world.close());
afterAll(async () => {
  await server.stop();
  await other.stop();
  await world.stop();
});

const says =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const fine = says(200, { data: [] });
const cut: Answering = (_, response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"data":', () => response.destroy());
};
const hangUp: Answering = (request) => request.socket.destroy();
const times = (count: number, answer: Answering): Answering[] => Array.from({ length: count }, () => answer);

const profiles = (calls: PlatformCalls, method: 'GET' | 'POST' = 'GET'): SourceCall => ({
  method,
  url: `${calls.baseUrl(OWN)}/api/profiles?page=1`,
  headers: { authorization: `Klaviyo-API-Key ${KEY}`, accept: 'application/vnd.api+json' },
  ...(method === 'POST' && { body: '{"filter":"ü"}' }),
});

const thrownMessage = (thrown: unknown): string => (thrown as Error).message;

/** The thrown error, after a check that none of its properties contains the key. */
async function thrownBy(made: Promise<unknown>): Promise<Error> {
  const error = await made.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown as Error,
  );
  const errorTexts = [error, error.cause].map((each) =>
    each instanceof Error ? [each.message, each.stack, JSON.stringify(each)].join(' ') : String(each),
  );
  expect(errorTexts.join(' ')).not.toMatch(/canary|signature/);
  return error;
}

describe('one call', () => {
  test('is asked as the connector has it, at the base URL, with the path kept', async () => {
    server.answer(says(200, { ok: true }, { 'x-kind': 'page' }));
    const calls = world.calls(server);
    expect(calls.baseUrl('https://us21.api.mailchimp.com/3.0')).toBe(`${server.url}/3.0`);
    expect(calls.baseUrl('https://api.intercom.io/')).toBe(server.url);
    const answer = await calls.call(profiles(calls, 'POST'));
    expect(answer).toMatchObject({ status: 200, headers: { 'x-kind': 'page' } });
    expect(answer.body.toString()).toBe('{"ok":true}');
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        path: '/api/profiles?page=1',
        headers: { authorization: `Klaviyo-API-Key ${KEY}`, accept: 'application/vnd.api+json' },
        body: '{"filter":"ü"}',
      },
    ]);
  });

  test('goes to the platform itself where no base URL is given', () => {
    const calls = world.factory({}).of(world.scope, aJob(), new AbortController().signal);
    expect(calls.baseUrl('https://a.klaviyo.com')).toBe('https://a.klaviyo.com');
    expect(calls.baseUrl('https://us21.api.mailchimp.com/3.0')).toBe('https://us21.api.mailchimp.com/3.0');
  });

  test.each([400, 404, 409, 422])('gives %d as it is', async (status) => {
    server.answer(says(status, { errors: [] }));
    const calls = world.calls(server);
    expect(await calls.call(profiles(calls))).toMatchObject({ status });
    expect(server.asked).toHaveLength(1);
  });

  test.each([401, 403])('fails at once for %d, and repeats no text of the platform', async (status) => {
    server.answer(says(status, { detail: `The key ${KEY} is wrong.` }));
    const calls = world.calls(server);
    expect(await thrownBy(calls.call(profiles(calls)))).toMatchObject({
      name: 'SourceFailure',
      code: 'invalid_credentials',
    });
    expect(server.asked).toHaveLength(1);
    expect(world.clock.waits).toEqual([]);
  });

  test.each(['canary\r\nx-more: 1', 'canary\u0000', 'canarü', 'canary\u2028'])(
    'is not made with a key that no header takes (%j)',
    async (key) => {
      server.answer(fine);
      const calls = world.calls(server);
      const call = { ...profiles(calls), headers: { authorization: `Bearer ${key}` } };
      expect(await thrownBy(calls.call(call))).toMatchObject({ code: 'invalid_credentials' });
      expect(server.asked).toHaveLength(0);
    },
  );

  test('reads what is packed, and no more than there is room for', async () => {
    const large = Buffer.alloc(33_554_432, 'x');
    server.answer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large)),
    );
    const calls = world.calls(server);
    expect((await calls.call(profiles(calls))).body.equals(large)).toBe(true);
    server.answer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(33_554_433))),
    );
    const error = await thrownBy(calls.call(profiles(calls)));
    expect(error).toBeInstanceOf(AnswerTooLarge);
    expect(error).toMatchObject({ code: 'platform_unavailable' });
    expect(server.asked).toHaveLength(1);
  });
});

describe('what fails', () => {
  test.each<[string, Answering]>([
    ['500', says(500, `<html>${KEY}</html>`)],
    ['502', says(502, '')],
    ['503 with a wait', says(503, {}, { 'retry-after': '0' })],
    ['408', says(408)],
    ['a cut answer', cut],
    ['a connection that is closed', hangUp],
    ['no HTTP', (request) => request.socket.end('220 mail ESMTP\r\n')],
    ['what is not packed', says(200, 'plain', { 'content-encoding': 'gzip' })],
  ])('%s is repeated with growing waits', async (_name, failing) => {
    server.answer(...times(3, failing), fine);
    const calls = world.calls(server);
    expect(await calls.call(profiles(calls))).toMatchObject({ status: 200 });
    expect(server.asked).toHaveLength(4);
    expect(world.clock.waits).toEqual([500, 1_000, 2_000]);
  });

  test.each<[string, Answering]>([
    ['500', says(500, KEY)],
    ['cut answers', cut],
    ['closed connections', hangUp],
  ])('and fails the job in the end (%s)', async (_name, failing) => {
    server.answer(failing);
    const calls = world.calls(server);
    const error = await thrownBy(calls.call(profiles(calls)));
    expect(error).toBeInstanceOf(SourceFailure);
    expect(error).toMatchObject({ code: 'platform_unavailable' });
    expect(server.asked).toHaveLength(6);
    expect(world.clock.waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  });

  test('a POST is repeated too', async () => {
    server.answer(says(502), hangUp, fine);
    const calls = world.calls(server);
    expect(await calls.call(profiles(calls, 'POST'))).toMatchObject({ status: 200 });
    expect(server.asked.map(({ body }) => body)).toEqual(times(3, fine).map(() => '{"filter":"ü"}'));
  });

  test('what is no JSON is repeated where JSON is asked for', async () => {
    server.answer(says(200, '<html>'), says(200, ''), says(200, '{"data":[1]}'));
    const calls = world.calls(server);
    expect(await calls.json(profiles(calls))).toEqual({ data: [1] });
    server.answer(says(200, `<html>${KEY}`, { 'retry-after': '3600' }));
    expect(await thrownBy(calls.json(profiles(calls)))).toMatchObject({ code: 'platform_unavailable' });
    expect(server.asked).toHaveLength(6);
  });

  test('a host that nobody knows is given up in the end', async () => {
    const calls = world.factory({}).of(world.scope, aJob(), new AbortController().signal);
    expect(await thrownBy(calls.call(profiles(calls)))).toMatchObject({
      code: 'platform_unavailable',
      detail: "The platform's host could not be resolved.",
    });
  });

  test('failures of one call are not counted to the next', async () => {
    const calls = world.calls(server);
    for (let call = 0; call < 5; call++) {
      server.answer(...times(4, says(500)), fine);
      expect(await calls.call(profiles(calls))).toMatchObject({ status: 200 });
    }
    expect(world.clock.waits).toHaveLength(20);
  });

  test('fails the job however long the platform says to wait, and however many turns that takes', async () => {
    const factory = world.factory({ klaviyo: server.url });
    const job = aJob();
    server.answer(says(503, {}, { 'retry-after': '3600' }));
    let attempts = 0;
    let failed: unknown;
    while (failed === undefined && attempts < 20) {
      attempts++;
      const calls = factory.of(world.scope, job, new AbortController().signal);
      const error = await thrownBy(calls.call(profiles(calls)));
      if (error instanceof RetryLaterError) world.clock.wind(error.milliseconds);
      else failed = error;
    }
    expect(failed).toMatchObject({ name: 'SourceFailure', code: 'platform_unavailable' });
    expect(server.asked).toHaveLength(6);
    expect(attempts).toBeGreaterThan(1);
    // A resumed job has the same number of attempts again.
    server.answer(...times(3, says(500)), fine);
    const resumed = factory.of(world.scope, job, new AbortController().signal);
    expect(await resumed.call(profiles(resumed))).toMatchObject({ status: 200 });
  });

  test('what a platform says of its limits makes no wait after a failure longer', async () => {
    server.answer(
      says(503, {}, { 'x-ratelimit-reset': '25' }),
      says(503, {}, { 'x-ratelimit-retry-after': '25' }),
      fine,
    );
    const calls = world.calls(server);
    expect(await calls.call(profiles(calls))).toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([500, 1_000]);
  });
});

describe('429', () => {
  test('is waited for as the platform says', async () => {
    server.answer(
      says(429, {}, { 'retry-after': '3' }),
      says(429, {}, { 'x-ratelimit-retry-after': '2' }),
      says(429),
      fine,
    );
    const calls = world.calls(server);
    expect(await calls.call(profiles(calls))).toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([3_000, 2_000, 4_000]);
  });

  test('a moment is waited for, by the date of the answer', async () => {
    const date = 'Mon, 02 Mar 2026 10:00:00 GMT';
    const at = Date.parse(date) / 1_000;
    server.answer(
      says(429, {}, { date, 'retry-after': 'Mon, 02 Mar 2026 10:00:07 GMT' }),
      says(429, {}, { date, 'x-ratelimit-reset': String(at + 9) }),
      fine,
    );
    const calls = world.calls(server);
    await calls.call(profiles(calls));
    expect(world.clock.waits).toEqual([7_000, 9_000]);
  });

  test.each(['1e99', 'NaN', '-5', '99999999999999999999', 'never'])(
    'a wait of “%s” is none that is believed',
    async (wait) => {
      server.answer(says(429, {}, { 'retry-after': wait }), fine);
      const calls = world.calls(server);
      expect(await calls.call(profiles(calls))).toMatchObject({ status: 200 });
      expect(world.clock.waits).toEqual([1_000]);
    },
  );

  test('a long wait gives the turn back, and the next turn does not ask before it is over', async () => {
    const factory = world.factory({ klaviyo: server.url });
    const job = aJob();
    const turn = () => factory.of(world.scope, job, new AbortController().signal);
    server.answer(says(429, {}, { 'retry-after': '120' }), fine);
    const first = turn();
    const error = await thrownBy(first.call(profiles(first)));
    expect(error).toBeInstanceOf(RetryLaterError);
    expect(error).toMatchObject({ milliseconds: 120_000 });
    world.clock.wind(20_000);
    const second = turn();
    expect(await thrownBy(second.call(profiles(second)))).toMatchObject({ milliseconds: 100_000 });
    expect(server.asked).toHaveLength(1);
    world.clock.wind(100_000);
    const third = turn();
    expect(await third.call(profiles(third))).toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([]);
  });

  test('is forgotten with the job: whoever resumes it may have another account', async () => {
    const factory = world.factory({ klaviyo: server.url });
    const job = aJob();
    server.answer(says(429, {}, { 'retry-after': '3600' }), fine);
    const first = factory.of(world.scope, job, new AbortController().signal);
    expect(await thrownBy(first.call(profiles(first)))).toBeInstanceOf(RetryLaterError);
    factory.deleteUsage(job.id);
    const resumed = factory.of(world.scope, job, new AbortController().signal);
    expect(await resumed.call(profiles(resumed))).toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([]);
  });

  test('an hour is the longest wait', async () => {
    server.answer(says(429, {}, { 'retry-after': '999999999' }));
    const calls = world.calls(server);
    expect(await thrownBy(calls.call(profiles(calls)))).toMatchObject({ milliseconds: 3_600_000 });
  });

  test('no number of them fails a job', async () => {
    const factory = world.factory({ klaviyo: server.url });
    const job = aJob();
    server.answer(...times(500, says(429, {}, { 'retry-after': '0' })), fine);
    for (let isDone = false; !isDone;) {
      const calls = factory.of(world.scope, job, new AbortController().signal);
      try {
        isDone = (await calls.call(profiles(calls))).status === 200;
      } catch (error) {
        if (!(error instanceof RetryLaterError)) throw error;
        world.clock.wind(error.milliseconds);
      }
    }
    expect(server.asked).toHaveLength(501);
  });

  test('holds up all calls of the job', async () => {
    const calls = world.calls(server);
    let first: ServerResponse | undefined;
    server.answer((_, response) => (first = response), fine);
    const one = calls.call(profiles(calls));
    await until('the first is there', () => first !== undefined);
    first?.writeHead(429, { 'retry-after': '5' }).end();
    await one;
    expect(world.clock.waits).toEqual([5_000]);
  });

  test('that we have too much to do is waited for as well', async () => {
    const tight = { running: 1, runningPerOwner: 1, waiting: 0, waitingPerOwner: 0, maxWaitMs: 60_000 };
    const bounds = { ...OUTBOUND_BOUNDS, calls: { ...OUTBOUND_BOUNDS.calls, process: tight } };
    const calls = world
      .factory({ klaviyo: server.url }, { bounds })
      .of(world.scope, aJob(), new AbortController().signal);
    let held: ServerResponse | undefined;
    server.answer((_, response) => (held = response), fine);
    const one = calls.call(profiles(calls));
    await until('the first is there', () => held !== undefined);
    const two = calls.call(profiles(calls));
    // It waits while there is no free permit, and finally releases its time slice.
    expect(await thrownBy(two)).toBeInstanceOf(RetryLaterError);
    expect(world.clock.waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    held?.end('{}');
    expect(await one).toMatchObject({ status: 200 });
  });
});

describe('a turn that ends', () => {
  test('ends a call under way', async () => {
    const turn = new AbortController();
    const calls = world.calls(server, turn.signal);
    let isClosed = false;
    server.answer((request) => request.socket.on('close', () => (isClosed = true)));
    const call = thrownBy(calls.call(profiles(calls)));
    await until('it is asked', () => server.asked.length === 1);
    const reason = new Error('The job was cancelled.');
    turn.abort(reason);
    expect(await call).toBe(reason);
    await until('the connection is closed', () => isClosed);
    expect(await thrownBy(calls.call(profiles(calls)))).toBe(reason);
    expect(server.asked).toHaveLength(1);
  });

  test('ends a wait', async () => {
    const turn = new AbortController();
    const calls = world.calls(server, turn.signal);
    const reason = new Error('The job was cancelled.');
    world.clock.onWait = () => turn.abort(reason);
    server.answer(says(429, {}, { 'retry-after': '20' }), fine);
    expect(await thrownBy(calls.call(profiles(calls)))).toBe(reason);
    expect(server.asked).toHaveLength(1);
  });

  test('a process that ends has the job go on later', async () => {
    const calls = world.calls(server);
    server.answer(() => undefined);
    const call = thrownBy(calls.call(profiles(calls)));
    await until('it is asked', () => server.asked.length === 1);
    world.close();
    expect(await call).toBeInstanceOf(RetryLaterError);
  });
});

describe('keys', () => {
  const secretsOf = ({ asked }: ScriptedServer) =>
    asked.flatMap(({ headers, path }) => [path, ...Object.values(headers)]).join(' ');

  test('go to no other host: redirects, and addresses of answers', async () => {
    const calls = world
      .factory({ klaviyo: server.url })
      .of(world.scope, aJob(), new AbortController().signal);
    server.answer((_, response) => response.writeHead(302, { location: `${server.url}/next` }).end(), fine);
    expect(await calls.call(profiles(calls))).toMatchObject({ status: 200 });
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
      `Klaviyo-API-Key ${KEY}`,
      `Klaviyo-API-Key ${KEY}`,
    ]);
    // The other server is private; this test allows it, as a public one would be allowed.
    const free = world
      .factory({ klaviyo: server.url, intercom: other.url })
      .of(world.scope, { ...aJob(), platform: 'intercom' }, new AbortController().signal);
    other.answer(says(401), fine);
    const elsewhere = { ...profiles(calls), url: `${other.url}/api/profiles` };
    expect(await free.call(elsewhere)).toMatchObject({ status: 401 });
    expect(await free.call(elsewhere)).toMatchObject({ status: 200 });
    expect(other.asked).toHaveLength(2);
    expect(secretsOf(other)).not.toContain('canary');
    expect(other.asked[0]?.headers.accept).toBe('application/vnd.api+json');
  });

  test('a POST is not redirected', async () => {
    server.answer((_, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    const calls = world.calls(server);
    expect(await thrownBy(calls.call(profiles(calls, 'POST')))).toMatchObject({
      code: 'platform_unavailable',
    });
    expect(server.asked).toHaveLength(1);
  });

  test('redirects without end are given up at once', async () => {
    server.answer((_, response) => response.writeHead(302, { location: '/again' }).end());
    const calls = world.calls(server);
    expect(await thrownBy(calls.call(profiles(calls)))).toMatchObject({ code: 'platform_unavailable' });
    expect(server.asked).toHaveLength(6);
  });
});

describe('connections', () => {
  test('one serves call after call', async () => {
    server.answer(fine);
    const calls = world.calls(server);
    for (let call = 0; call < 20; call++) await calls.call(profiles(calls));
    expect(server.asked).toHaveLength(20);
    expect(server.connections).toBe(1);
  });

  test('calls at a time have one each, and no more of a workspace than a platform allows', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    server.answer((_, response) => (most = Math.max(most, held.push(response))));
    const calls = world.calls(server);
    let answered = 0;
    const all = Array.from({ length: 20 }, async () => {
      await calls.call(profiles(calls));
      answered++;
    });
    await until('eight are there', () => held.length === 8);
    await until(
      'all are answered',
      () => {
        held.shift()?.end('{}');
        return answered === 20;
      },
      () => answered,
    );
    await Promise.all(all);
    expect(most).toBe(8);
    expect(server.connections).toBe(8);
  });

  test('one that has ended meanwhile is replaced, without a wait', async () => {
    const calls = world.calls(server);
    server.answer(fine, hangUp, fine);
    await calls.call(profiles(calls));
    await calls.call(profiles(calls));
    expect(server.connections).toBe(2);
    expect(world.clock.waits).toEqual([]);
  });

  test('two workspaces share none', async () => {
    const factory = world.factory({ klaviyo: server.url });
    server.answer(fine);
    for (const workspaceId of ['one', 'two']) {
      const calls = factory.of({ ...world.scope, workspaceId }, aJob(), new AbortController().signal);
      for (let call = 0; call < 3; call++) await calls.call(profiles(calls));
    }
    expect(server.connections).toBe(2);
  });
});

describe('downloads', () => {
  const link = '/export.zip?signature=canary_of_the_store';

  const kept = async (calls: PlatformCalls, fileId: string): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of calls.read(fileId, 0)) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const rows = (): Promise<number> =>
    world.database.inScope(world.scope, async (tx) => {
      const files = new ImportFileRepository(world.database);
      const { incomplete: incomplete, storedBytes: bytes } = await files.uploadsOf(
        tx,
        world.scope,
        world.clock.now(),
      );
      return incomplete + bytes;
    });

  test('are kept, and sent without any key', async () => {
    const bytes = Buffer.alloc(2_500_000, 'abc');
    server.answer((_, response) => response.end(bytes));
    const calls = world.calls(server);
    calls.baseUrl(OWN);
    const id = await calls.download(`${server.url}${link}`, 'export.zip');
    expect(await calls.sizeOf(id)).toBe(bytes.length);
    expect((await kept(calls, id)).equals(bytes)).toBe(true);
    expect(server.asked).toHaveLength(1);
    expect(server.asked[0]?.path).toBe(link);
    expect(Object.keys(server.asked[0]?.headers ?? {}).sort()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
    ]);
  });

  test('that break off are begun anew, and leave nothing of the first', async () => {
    const whole: Answering = (_, response) => response.end('whole');
    server.answer(cut, says(503), whole);
    const calls = world.calls(server);
    const id = await calls.download(`${server.url}${link}`, 'export.zip');
    expect((await kept(calls, id)).toString()).toBe('whole');
    expect(world.clock.waits).toEqual([500, 1_000]);
    expect(await rows()).toBe(0);
  });

  test('that break off again and again fail the job', async () => {
    server.answer(cut);
    const calls = world.calls(server);
    expect(await thrownBy(calls.download(`${server.url}${link}`, 'a'))).toMatchObject({
      code: 'platform_unavailable',
    });
    expect(server.asked).toHaveLength(4);
  });

  test.each([403, 404, 410])('that are not there say so (%d)', async (status) => {
    server.answer(says(status, '<Error>signature</Error>'));
    const calls = world.calls(server);
    const error = await thrownBy(calls.download(`${server.url}${link}`, 'a'));
    expect(error).toBeInstanceOf(DownloadMissing);
    expect(error).toMatchObject({ status, code: 'source_not_found' });
    expect(server.asked).toHaveLength(1);
  });

  test('are ended with the turn', async () => {
    const turn = new AbortController();
    const calls = world.calls(server, turn.signal);
    let isClosed = false;
    server.answer((request, response) => {
      request.socket.on('close', () => (isClosed = true));
      response.write('x');
    });
    const download = thrownBy(calls.download(`${server.url}${link}`, 'a'));
    await until('it has begun', () => server.asked.length === 1);
    turn.abort(new Error('The job was cancelled.'));
    expect(await download).toMatchObject({ message: 'The job was cancelled.' });
    await until('the connection is closed', () => isClosed);
  });

  test('a platform that has us download for ever is given up', async () => {
    const factory = world.factory({ klaviyo: server.url });
    const job = aJob();
    const download = () =>
      factory
        .of(world.scope, job, new AbortController().signal)
        .download(`${server.url}${link}`, 'a')
        .then(() => 'kept', thrownMessage);
    // There is no limit to polls of a file that is not ready yet.
    server.answer(...times(150, says(404)), says(200, 'x'));
    const outcomes = new Map<string, number>();
    for (let turn = 0; turn < 251; turn++) {
      const outcome = await download();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({
      "The platform's download does not exist (404).": 150,
      kept: 100,
      'The platform returns endless pages.': 1,
    });
  });
});
