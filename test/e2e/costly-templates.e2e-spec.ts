/**
 * Expensive templates at every endpoint that renders: the process answers other requests meanwhile. Sections 2.7 and
 * 4.3.
 */
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  // The first task of a thread starts the thread.
  workspace = await app.workspace();
  await create('warm', 'x'.repeat(10_000));
});
afterAll(() => app.close());
beforeEach(async () => {
  workspace = await app.workspace();
});

/** Large enough to keep each endpoint busy for some tenths of a second. */
const SIZE = 200_000;
const filled = (piece: string): string => piece.repeat(Math.floor(SIZE / piece.length));
const COSTLY = filled('<p>{{ x }}{% if x %}</p>');
const OPEN = filled('{{ ');
const NUMBERED = Array.from({ length: 24_000 }, (_, line) => `<p>line ${line}</p>`).join('\n');
const OTHERS = NUMBERED.replace(/line (\d*)7</g, 'row $1<');

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  workspace.call(method, `/v1/templates${path}`, body);

async function create(slug: string, body_html: string): Promise<void> {
  expect((await call('POST', '', { name: 'T', slug, body_html })).status).toBe(201);
}

/** Whether another request is answered while a thread does the work. */
async function isAnsweredDuring(work: Promise<Answer>): Promise<boolean> {
  let done = false;
  void work.finally(() => (done = true)).catch(() => undefined);
  while (!done) if (await isWorking()) return true;
  return false;
}

async function isWorking(): Promise<boolean> {
  const { body } = await app.request('GET', '/metrics');
  return /^waypost_thread_tasks_running [1-9]/m.test(body as string);
}

describe('while a dear body is worked on others are answered', () => {
  test.each<[door: string, status: number, ask: () => Promise<Answer>]>([
    ['saving', 201, () => call('POST', '', { name: 'T', slug: 'dear', body_html: COSTLY })],
    ['render-inline', 422, () => call('POST', '/render-inline', { body_html: COSTLY })],
    ['validate', 200, () => call('POST', '/validate', { body_html: COSTLY })],
    ['convert', 200, () => call('POST', '/convert', { content: OPEN })],
    ['detect-language', 200, () => call('POST', '/detect-language', { content: OPEN })],
    ['test-send', 200, () => call('POST', '/test-send', { to_emails: ['a@example.com'], body_html: COSTLY })],
  ])('%s', async (_, status, ask) => {
    const work = ask();
    expect(await isAnsweredDuring(work)).toBe(true);
    expect((await work).status).toBe(status);
  });

  test.each<[door: string, status: number, ask: () => Promise<Answer>]>([
    ['changing', 200, () => call('PUT', '/saved', { body_html: `${COSTLY}x` })],
    ['changing what belongs to the body', 200, () => call('PUT', '/saved', { subject: 'Hi {{ x }}' })],
    ['preview', 422, () => call('POST', '/saved/preview', {})],
    ['preflight', 200, () => call('POST', '/saved/preflight')],
  ])('%s', async (_, status, ask) => {
    await create('saved', COSTLY);
    const work = ask();
    expect(await isAnsweredDuring(work)).toBe(true);
    expect((await work).status).toBe(status);
  });

  test('comparing versions', async () => {
    await create('saved', NUMBERED);
    expect((await call('PUT', '/saved', { body_html: OTHERS })).status).toBe(200);
    const work = workspace.graphql(
      '{ templateVersionDiff(slug: "saved", from: 1) { hunks { oldStart text } } }',
    );
    expect(await isAnsweredDuring(work)).toBe(true);
    expect((await work).body.errors).toBeUndefined();
  });

  test('rendering a small source whose data are dear', async () => {
    const list = Array.from({ length: 10_000 }, (_, index) => index);
    const work = call('POST', '/render-inline', {
      body_html: `{for each x in the list}{the x, as "EEEE, d MMMM yyyy HH:mm zzzz"}${'{if the a exists}{end if}'.repeat(40)}{end for}`,
      contact: { list },
    });
    expect(await isAnsweredDuring(work)).toBe(true);
    expect((await work).body).toMatchObject({ code: 'template_errors' });
  });
});

describe('a change that is prepared before it is made', () => {
  test('loses nothing to others that change the template meanwhile', async () => {
    await create('saved', NUMBERED);
    const changes = ['A', 'B', 'C', 'D'].map((subject) =>
      call('PUT', '/saved', { subject, body_html: `${NUMBERED}${subject}` }),
    );
    const answers = await Promise.all([...changes, call('PUT', '/saved', { name: 'Named' })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { body } = await call('GET', '/saved');
    expect([body.version, body.name]).toEqual([6, 'Named']);
    expect(body.body_html).toBe(`${NUMBERED}${body.subject}`);
    expect(body.body_text.endsWith(body.subject)).toBe(true);
  });

  test('is refused for a version that is not expected', async () => {
    await create('saved', COSTLY);
    const stale = await call('PUT', '/saved', { body_html: `${COSTLY}x`, expected_version: 9 });
    expect([stale.status, stale.body.code]).toEqual([409, 'conflict']);
  });

  test('locks nothing while it is worked on', async () => {
    await create('saved', COSTLY);
    const order: string[] = [];
    const costlySave = call('PUT', '/saved', { body_html: `${COSTLY}x` }).then(() => order.push('body'));
    await until('the body is being worked on', isWorking);
    await Promise.all([costlySave, call('PUT', '/saved', { name: 'Named' }).then(() => order.push('name'))]);
    expect(order).toEqual(['name', 'body']);
    expect((await call('GET', '/saved')).body).toMatchObject({
      version: 3,
      name: 'Named',
      body_html: `${COSTLY}x`,
    });
  });

  test('documents of the visual editor too', async () => {
    const nest = (depth: number, leaf: number): unknown =>
      depth === 0 ? leaf : [nest(depth - 1, leaf), nest(depth - 1, leaf + 1)];
    const document = (leaf: number) => ({ blocks: nest(13, leaf) });
    expect(
      (await call('POST', '', { name: 'T', slug: 'saved', body_html: '<p>x</p>', body_ast: document(1) }))
        .status,
    ).toBe(201);
    const work = call('PUT', '/saved', { body_html: '<p>y</p>', body_ast: document(5) });
    expect(await isAnsweredDuring(work)).toBe(true);
    expect((await work).status).toBe(200);
  });
});

/** Mails a template with that body; resolves when the mail has arrived. */
async function mail(body_html: string, name: string): Promise<void> {
  await create(name, body_html);
  const flow = {
    name: 'F',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: name, subject: 'Hello' }],
  };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  const email = `${name}@example.com`;
  const event = { external_id: name, event_name: 'signed_up', contact: { email, first_name: 'Ada' } };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  await until('the mail has arrived', () => app.sink.to(email).length > 0);
}

/** How many tasks of this name the threads have completed. */
async function onThreads(task: string): Promise<number> {
  const { body } = await app.request('GET', '/metrics');
  const line = new RegExp(`waypost_thread_tasks_total\\{task="${task}",outcome="done"\\} (\\d+)`);
  return Number(line.exec(body as string)?.[1] ?? 0);
}

test('mail of a large template is rendered on threads, and goes out', async () => {
  const before = await onThreads('templates.render');
  await mail(`<p>Hi {the user's First Name}</p>${NUMBERED}`, 'large');
  expect(await onThreads('templates.render')).toBe(before + 1);
});

test('mail of the usual size is rendered where it is sent, once a thread has found it cheap', async () => {
  const row = `<tr><td style="padding:8px;color:#333">Dear {the user's First Name}, a line of a newsletter</td></tr>`;
  const before = [await onThreads('templates.facts'), await onThreads('templates.render')];
  await mail(
    `<style>p { color: red }</style><table>${row.repeat(100)}</table>${'<p>x</p>'.repeat(2_500)}`,
    'usual',
  );
  expect([await onThreads('templates.facts'), await onThreads('templates.render')]).toEqual([
    before[0]! + 1,
    before[1],
  ]);
});
