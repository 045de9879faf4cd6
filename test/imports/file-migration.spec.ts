/**
 * A file from its upload to contacts, through the whole service: which rows are imported, and what is reported
 * about bad ones.
 */
import { useFixture } from '../support/fixture.js';
import { until } from '../support/until.js';

const fixture = useFixture(
  { queues: ['imports'] },
  {
    async call(method: string, path: string, body?: object): Promise<any> {
      const headers = {
        authorization: `Bearer ${fixture.workspace.ownerToken}`,
        'x-workspace-id': fixture.workspace.id,
      };
      return (await fixture.app.request(method, path, body, headers)).body;
    },
    async upload(bytes: Buffer): Promise<any> {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), 'people.csv');
      const response = await fetch(`${fixture.app.url}/v1/migrations/files`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${fixture.workspace.ownerToken}`,
          'x-workspace-id': fixture.workspace.id,
        },
        body: form,
      });
      return response.json();
    },
  },
);

test('a file with all that people do to files comes over, and its bad rows are told of', async () => {
  fixture.workspace = await fixture.app.workspace({ plan: 'starter' });
  const rows = [
    'external_id;E-mail;first_name;plan;plan;Unsubscribed',
    'u1;ana@example.com;"Ana; ""A""";pro;a;',
    '',
    'u2;jose@example.com;José;;b;yes',
    'u6;kim@example.com; "Kim"',
    'u3;x;y;;;;z',
    'u4;eva@example.com;"Eva',
    'u5;li@example.com; Li ;pro;c;no',
    '1.23457E+12;may@example.com;May;pro;c;no',
    'u8;mia@example.com;Mia;pro;c;perhaps',
  ];
  const file = await fixture.upload(Buffer.from(rows.join('\r\n'), 'latin1'));
  expect(file).toMatchObject({ encoding: 'latin1', columns: expect.arrayContaining(['plan_2']) });
  const job = await fixture.call('POST', '/v1/migrations', {
    platform: 'file',
    config: { file_id: file.file_id, tags: ['old'], field_mapping: file.suggested_mapping },
  });
  let now: any;
  await until('the job has ended', async () => {
    now = await fixture.call('GET', `/v1/migrations/${job.id}`);
    return now.status !== 'queued' && now.status !== 'running';
  });
  expect(now).toMatchObject({
    status: 'completed',
    progress: { imported: 4, failed: 4, total: 8, percent_complete: 100 },
    unsubscribed: 1,
  });
  const { errors } = await fixture.call('GET', `/v1/migrations/${job.id}/errors`);
  expect(errors).toMatchObject([
    { row: 4, code: 'invalid_row', detail: 'The row has 7 cells and the header 6.' },
    { row: 5, code: 'invalid_row', detail: 'A quotation mark is not closed.' },
    {
      row: 7,
      external_id: 'may@example.com',
      code: 'invalid_field',
      detail: expect.stringContaining('truncated'),
    },
    {
      row: 8,
      external_id: 'u8',
      code: 'invalid_field',
      detail: expect.stringContaining('"perhaps" is not a known status'),
    },
  ]);
  const { rows: contacts } = await fixture.admin.query(
    `SELECT external_id, email, first_name, subscription_status, properties, tags FROM contacts WHERE workspace_id = $1
     ORDER BY external_id`,
    [fixture.workspace.id],
  );
  expect(contacts).toMatchObject([
    { external_id: 'u1', first_name: 'Ana; "A"', properties: { plan: 'pro', plan_2: 'a' }, tags: ['old'] },
    {
      external_id: 'u2',
      first_name: 'José',
      subscription_status: 'unsubscribed',
      properties: { plan_2: 'b' },
    },
    { external_id: 'u5', email: 'li@example.com', first_name: 'Li', properties: { plan: 'pro' } },
    { external_id: 'u6', email: 'kim@example.com', first_name: 'Kim', properties: {} },
  ]);
});

test('who refuses mail by a row that cannot be stored is unsubscribed here', async () => {
  fixture.workspace = await fixture.app.workspace({ plan: 'starter' });
  for (const id of ['u1', 'u2', 'u3'])
    await fixture.workspace.call('POST', '/v1/contacts', { external_id: id, email: `${id}@example.com` });
  const rows = [
    'external_id,email,unsubscribed_at,notes',
    'u1,u1@example.com,2024-05-01,a\0b',
    'u2,u2@example.com,,a\0b',
    ',U3@example.com,2024-05-01,\0',
    'u4,u4@example.com,,',
  ];
  const file = await fixture.upload(Buffer.from(rows.join('\n')));
  const job = await fixture.call('POST', '/v1/migrations', {
    platform: 'file',
    config: { file_id: file.file_id },
  });
  let now: any;
  await until('the job has ended', async () => {
    now = await fixture.call('GET', `/v1/migrations/${job.id}`);
    return now.status !== 'queued' && now.status !== 'running';
  });
  expect(now).toMatchObject({ status: 'completed', progress: { imported: 1, failed: 3, total: 4 } });
  const { errors } = await fixture.call('GET', `/v1/migrations/${job.id}/errors`);
  expect(errors).toMatchObject([
    { row: 1, external_id: 'u1', code: 'invalid_row' },
    { row: 2, external_id: 'u2', code: 'invalid_row' },
    { row: 3, external_id: 'u3@example.com', code: 'invalid_row' },
  ]);
  const { rows: contacts } = await fixture.admin.query(
    `SELECT external_id, subscription_status AS status, properties FROM contacts WHERE workspace_id = $1 ORDER BY external_id`,
    [fixture.workspace.id],
  );
  const [u1, u2, u3, u4] = contacts;
  expect([u1.status, u3.status]).toEqual(['unsubscribed', 'unsubscribed']);
  expect(contacts).toHaveLength(4);
  expect(u2.status).toBe(u4.status);
  expect(u2.status).not.toBe('unsubscribed');
  expect(u1.properties).toEqual({});
});

test.each(['csv', 'json'])(
  'an export as %s, brought to another workspace and exported again, is the same',
  async (format) => {
    const from = await fixture.app.workspace({ plan: 'starter' });
    const people = [
      {
        ...{
          external_id: '007',
          email: 'ada@example.com',
          phone: '+43 660 1',
          first_name: '=Ada',
          last_name: '\'s, "L"\n x',
        },
        ...{ product_type: 'pro', timezone: 'Europe/Vienna', locale: 'de-AT', tags: ['vip', '=t', 'a, b'] },
        properties: {
          plan: 'gold',
          ltv: 12.5,
          ok: false,
          zip: '00123',
          deep: { list: [1, null, ' x '] },
          empty: '',
        },
      },
      { external_id: '+1', first_name: "'+1", properties: { unsubscribed: true, 'utm.source': 'x' } },
      { external_id: 'out', email: 'out@example.com' },
    ];
    for (const person of people)
      expect((await from.call('POST', '/v1/contacts', person)).status).toBeLessThan(300);
    await fixture.admin.query(
      `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id = 'out'`,
      [from.id],
    );
    const exported = async (workspace: typeof from): Promise<string> => {
      const { body } = await workspace.call('POST', '/v1/contacts/export', { format });
      return typeof body === 'string' ? body : JSON.stringify(body);
    };
    const before = await exported(from);
    const to = (fixture.workspace = await fixture.app.workspace({ plan: 'starter' }));
    const file = await fixture.upload(Buffer.from(before));
    const config = { file_id: file.file_id, field_mapping: file.suggested_mapping };
    const job = await fixture.call('POST', '/v1/migrations', { platform: 'file', config });
    let now: any;
    await until('the job has ended', async () => {
      now = await fixture.call('GET', `/v1/migrations/${job.id}`);
      return now.status !== 'queued' && now.status !== 'running';
    });
    expect(now).toMatchObject({ status: 'completed', progress: { imported: 3, failed: 0 }, unsubscribed: 1 });
    const own = /0[0-9a-f]{7}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
    expect((await exported(to)).replace(own, '')).toBe(before.replace(own, ''));
  },
);

test('columns come over with the types that were suggested and changed, and what does not fit is counted', async () => {
  fixture.workspace = await fixture.app.workspace({ plan: 'starter' });
  const rows = [
    'email,joined,ltv,pro,zip,level',
    'd1@dt.example,2026-11-26 10:11:12,1500,WAHR,01067,1',
    'd2@dt.example,2026-11-26T10:11:12,20.5,FALSCH,10115,2',
    'd3@dt.example,1795687872,-3,WAHR,10115,high',
    'd4@dt.example,2026-11-26T10:11:12+0000,,,,',
  ];
  const file = await fixture.upload(Buffer.from(rows.join('\n')));
  expect(file.suggested_types).toEqual({
    ...{ joined: 'date', ltv: 'number', pro: 'boolean', zip: 'text', level: 'text' },
  });
  const config = { file_id: file.file_id, field_types: { ...file.suggested_types, level: 'number' } };
  const job = await fixture.call('POST', '/v1/migrations', { platform: 'file', config });
  expect(job.config.field_types).toEqual(config.field_types);
  let now: any;
  await until('the job has ended', async () => {
    now = await fixture.call('GET', `/v1/migrations/${job.id}`);
    return now.status !== 'queued' && now.status !== 'running';
  });
  expect(now).toMatchObject({
    status: 'completed',
    progress: { imported: 4, failed: 0 },
    mistyped_values: 1,
  });
  const { rows: contacts } = await fixture.admin.query(
    `SELECT properties FROM contacts WHERE workspace_id = $1 ORDER BY external_id`,
    [fixture.workspace.id],
  );
  const joined = '2026-11-26T10:11:12.000Z';
  expect(contacts.map(({ properties }: any) => properties)).toEqual([
    { joined, ltv: 1500, pro: true, zip: '01067', level: 1 },
    { joined, ltv: 20.5, pro: false, zip: '10115', level: 2 },
    { joined, ltv: -3, pro: true, zip: '10115', level: 'high' },
    { joined },
  ]);
  const unknown = { platform: 'file', config: { ...config, field_types: { nope: 'number' } } };
  expect(await fixture.call('POST', '/v1/migrations', unknown)).toMatchObject({
    ...{ code: 'invalid_field', detail: 'config.field_types.nope: is not a column of the file' },
  });
  const odd = { platform: 'file', config: { ...config, field_types: { ltv: 'money' } } };
  expect(await fixture.call('POST', '/v1/migrations', odd)).toMatchObject({
    errors: [{ field: 'config.field_types.ltv', message: 'must be one of text, number, boolean, date' }],
  });
});
