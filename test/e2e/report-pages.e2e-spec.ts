/** The pages of reports over HTTP, section 4.4 and gate S11: for printing, and by a link that needs no credentials. */
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { HOSTILE } from '../support/report-samples.js';

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
};
const GROWTH = {
  data_source: 'contacts',
  metrics: ['created', 'total'],
  dimensions: ['date'],
  chart_type: 'line',
};
/** Names that contacts may have as tags: PostgreSQL's text cannot contain NUL, and JSON requests no lone surrogates. */
const TAGS = HOSTILE.filter((name) => name.length < 60 && name.isWellFormed() && !name.includes('\u0000'));

let app: TestApp;
let workspace: TestWorkspace;
let serial = 0;

beforeAll(async () => {
  app = await bootApp();
  workspace = await app.workspace();
  for (const tag of TAGS) {
    const contact = { external_id: `c${++serial}`, email: `c${serial}@example.com`, tags: [tag] };
    expect((await workspace.call('POST', '/v1/contacts', contact)).status).toBeLessThan(300);
  }
});
afterAll(() => app.close());

async function report(fields: object = {}): Promise<string> {
  const body = { name: 'Growth', report_type: 'contact_growth', config: GROWTH, ...fields };
  const { status, body: made } = await workspace.call('POST', '/v1/reports', body);
  expect([status, typeof made.id]).toEqual([201, 'string']);
  return made.id;
}

async function share(id: string, days = 7): Promise<string> {
  const { status, body } = await workspace.call('POST', `/v1/reports/${id}/share`, { expires_in_days: days });
  expect(status).toBe(201);
  return body.token;
}

function shared(token: string, headers: Record<string, string> = {}): Promise<Answer> {
  return app.request('GET', `/v1/reports/shared/${token}`, undefined, headers);
}

function print(id: string, query = ''): Promise<Answer> {
  return workspace.call('GET', `/v1/reports/${id}/export/pdf${query}`);
}

/** Scripts, and everything that a browser would load. */
function dangersIn(html: string): string[] {
  return html.match(/<script[^>]*>|<(?:img|link|iframe|object|embed|base|form)\b[^>]*>|\son\w+=["']/gi) ?? [];
}

describe('the page to print', () => {
  test('has title, period, tiles with their change, the chart and the table, and opens the print dialog', async () => {
    const { status, headers, body } = await print(await report(), '?from_date=2026-02-20&to_date=2026-03-02');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(body).toContain('<title>Growth: Feb 20 – Mar 2, 2026</title>');
    expect(body).toContain(`<dt>Created</dt><dd class="value">${TAGS.length}</dd>`);
    expect(body).toContain('no previous data');
    expect(body).toContain('role="img"');
    expect(body.match(/<tr>/g)).toHaveLength(12);
    const nonce = /script-src 'nonce-([\w+/]{24})'/.exec(headers.get('content-security-policy') ?? '')?.[1];
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(dangersIn(body)).toEqual([`<script nonce="${nonce}">`]);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(body).toContain('print()');
  });

  test('has another nonce every time', async () => {
    const id = await report();
    const policies = await Promise.all([print(id), print(id)]);
    expect(new Set(policies.map(({ headers }) => headers.get('content-security-policy'))).size).toBe(2);
  });

  test('shows at most 100 rows, and says so', async () => {
    const { body } = await print(await report(), '?from_date=2025-06-01&to_date=2026-03-02');
    expect(body.match(/<tr>/g)).toHaveLength(101);
    expect(body).toContain('the first 100 rows of 275');
  });

  test('a table has no chart', async () => {
    const { body } = await print(await report({ config: { ...GROWTH, chart_type: 'table' } }));
    expect(body).not.toContain('<svg');
    expect(body).toContain('<table');
  });

  test('hostile names of reports and in figures are text', async () => {
    const config = { ...GROWTH, dimensions: ['tag'], chart_type: 'bar' };
    for (const name of TAGS) {
      const id = await report({ name, description: name, config });
      const { status, body } = await print(id, '?date_range=7d');
      expect(status).toBe(200);
      expect(dangersIn(body)).toHaveLength(1);
    }
    const { body } = await print(await report({ name: TAGS[0], config }));
    expect(body).toContain('<bdi>&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>');
    expect(body).toContain('>&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt;</text>');
  });

  test.each([
    ['?date_range=14d', 422, 'invalid_field'],
    ['?from_date=yesterday', 422, 'invalid_date_param'],
    ['?from_date=2026-03-02&to_date=2026-03-01', 422, 'invalid_date_param'],
  ])('%s is refused', async (query, status, code) => {
    const { status: answered, body } = await print(await report(), query);
    expect([answered, body.code ?? body.detail.code]).toEqual([status, code]);
  });

  test('a report that there is not is not found, and nobody without credentials sees one', async () => {
    const missing = await print('0190a5d2-7c3e-7b61-9a3e-4f5f0c0fffff');
    expect([missing.status, missing.body.code]).toEqual([404, 'report_not_found']);
    expect((await app.request('GET', `/v1/reports/${await report()}/export/pdf`)).status).toBe(401);
  });
});

describe('a shared report', () => {
  test('is JSON to programs: what its data endpoint answers, and nothing else', async () => {
    const id = await report();
    const { status, headers, body } = await shared(await share(id));
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const own = await workspace.call('GET', `/v1/reports/${id}/data`);
    expect(Object.keys(body)).toEqual(Object.keys(own.body));
    expect([body.report_id, body.rows, body.totals]).toEqual([id, own.body.rows, own.body.totals]);
    expect(JSON.stringify(body)).not.toContain(workspace.id);
  });

  test('is a page to browsers, without a script, and without a word of the workspace', async () => {
    const token = await share(await report({ name: TAGS[0] }));
    const { status, headers, body } = await shared(token, BROWSER);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w+/]{24}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(dangersIn(body)).toEqual([]);
    expect(body).toContain('<svg ');
    expect(body).toContain('<table');
    for (const secret of [workspace.id, 'Acme', 'owner', token]) expect(body).not.toContain(secret);
  });

  test.each([
    ['JSON', {}],
    ['a page', BROWSER],
  ])('as %s is not indexed, not kept, and tells nobody its address', async (_what, accept) => {
    const token = await share(await report());
    for (const { headers } of [await shared(token, accept), await shared('A'.repeat(43), accept)]) {
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('vary')).toMatch(/accept/i);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('shows its own period alone, whatever the address says', async () => {
    const token = await share(await report());
    const { body } = await app.request('GET', `/v1/reports/shared/${token}?date_range=90d&compare=true`);
    expect([body.date_range.preset, body.comparison]).toEqual(['30d', null]);
  });

  test('is gone when its link is revoked, for programs and for people', async () => {
    const id = await report();
    const token = await share(id);
    expect((await workspace.call('DELETE', `/v1/reports/${id}/share`)).status).toBe(204);
    const json = await shared(token);
    expect([json.status, json.body.code]).toEqual([404, 'share_link_not_found']);
    const page = await shared(token, BROWSER);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<h1>Report not found</h1>');
  });

  test.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['another token', 'A'.repeat(43)],
    ['5,000 letters', 'a'.repeat(5_000)],
    ['markup', '%3Cscript%3E'],
    ['a way out', '..%2f..%2fhealth'],
  ])('is none under %s', async (_what, token) => {
    for (const accept of [{}, BROWSER]) {
      const { status, body } = await shared(token, accept);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.stringify(body)).not.toContain('<script>');
    }
  });

  test('ends with its days: 410, as JSON and as a page', async () => {
    const token = await share(await report(), 1);
    expect((await shared(token)).status).toBe(200);
    app.clock.wind(DAY + 1);
    const json = await shared(token);
    expect([json.status, json.body.code]).toEqual([410, 'share_link_expired']);
    const page = await shared(token, BROWSER);
    expect(page.status).toBe(410);
    expect(page.body).toContain('<h1>This link has expired</h1>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
