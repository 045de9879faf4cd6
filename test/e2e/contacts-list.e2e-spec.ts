/** Lists of contacts over HTTP, by page and by cursor: sections 2.11 and 4.10. */
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

const list = (query: string, of = workspace): Promise<Answer> =>
  of.call('GET', `/v1/contacts${query === '' ? '' : `?${query}`}`);
const upsert = (body: object, of = workspace): Promise<Answer> => of.call('POST', '/v1/contacts', body);
const idsOf = ({ body }: Answer): string[] =>
  body.data.map((contact: { external_id: string }) => contact.external_id);

describe('search', () => {
  beforeAll(async () => {
    workspace = await app.workspace();
    for (const contact of [
      { external_id: 'plain', email: 'Ada.Lovelace@Example.com', first_name: 'Ada', last_name: 'Lovelace' },
      { external_id: 'percent', first_name: '100% sure' },
      { external_id: 'under_score', first_name: 'under' },
      { external_id: 'underXscore' },
      { external_id: 'back', last_name: 'a\\b' },
      { external_id: 'umlaut', first_name: 'JÜRGEN', last_name: 'Größe' },
      { external_id: 'greek', first_name: 'ΟΔΥΣΣΕΥΣ', last_name: 'İstanbul' },
      { external_id: 'quote', last_name: `O'Neil "Q" $1 {contacts}` },
      { external_id: 'elsewhere', phone: 'plain', properties: { plain: 'plain' }, tags: ['plain'] },
      { external_id: 'gone', first_name: 'Ada' },
    ])
      await upsert(contact);
    await workspace.call('DELETE', '/v1/contacts/gone');
  });

  test.each<[string, string[]]>([
    ['plain', ['plain']],
    ['ADA', ['plain']],
    ['lovelace@example', ['plain']],
    ['ace@', ['plain']],
    ['0% s', ['percent']],
    ['%', ['percent']],
    ['_', ['under_score']],
    ['r_s', ['under_score']],
    ['\\', ['back']],
    ['a\\b', ['back']],
    ['jürgen', ['umlaut']],
    ['JÜRG', ['umlaut']],
    ['größe', ['umlaut']],
    ['ü', ['umlaut']],
    ['rö', ['umlaut']],
    ['οδυσσευσ', ['greek']],
    ['ΟΔΥΣΣΕΥΣ', ['greek']],
    ['İstanbul', ['greek']],
    [`o'neil "q"`, ['quote']],
    ['$1 {contacts}', ['quote']],
    ['nobody', []],
  ])('for %s finds %j', async (search, expected) => {
    const answer = await list(`search=${encodeURIComponent(search)}`);
    expect(idsOf(answer)).toEqual(expected);
    expect(answer.body.meta.total).toBe(expected.length);
    const connection = await workspace.graphql(
      'query($search: String) { contacts(search: $search) { totalCount edges { node { externalId } } } }',
      { search },
    );
    const { totalCount, edges } = connection.body.data.contacts;
    expect([totalCount, edges.map((edge: { node: { externalId: string } }) => edge.node.externalId)]).toEqual(
      [expected.length, expected],
    );
  });

  test('for nothing finds everybody but the deleted; for NUL nobody', async () => {
    const everybody = await list('search=');
    expect([everybody.body.meta.total, idsOf(everybody).includes('gone')]).toEqual([9, false]);
    const nul = await workspace.graphql('{ contacts(search: "\\u0000") { totalCount } }');
    expect(nul.body.data.contacts.totalCount).toBe(0);
  });

  test('for a line break finds who has one in a field, not where two fields meet', async () => {
    const breaks = await app.workspace();
    const ids = async (search: string): Promise<string[]> => {
      const path = `/v1/contacts?search=${encodeURIComponent(search)}`;
      return idsOf(await breaks.call('GET', path));
    };
    await breaks.call('POST', '/v1/contacts', { external_id: 'plain', first_name: 'Ada', last_name: 'L' });
    expect([await ids('\n'), await ids('Ada\nL')]).toEqual([[], []]);
    await breaks.call('POST', '/v1/contacts', { external_id: 'broken', first_name: 'Ada\nL' });
    expect([await ids('\n'), await ids('ada\nl')]).toEqual([['broken'], ['broken']]);
  });

  test('longer than any field is refused by both faces', async () => {
    const search = 'x'.repeat(256);
    const rest = await list(`search=${search}`);
    expect([rest.status, rest.body.errors[0].field]).toEqual([422, 'search']);
    const connection = await workspace.graphql(
      'query($search: String) { contacts(search: $search) { totalCount } }',
      { search },
    );
    expect(connection.body.errors[0].extensions).toMatchObject({ code: 'invalid_field', status: 422 });
  });
});

describe('order and pages', () => {
  beforeAll(async () => {
    workspace = await app.workspace();
    const names = ['b', 'A', 'c', 'ä', 'B'];
    for (const [n, name] of names.entries()) {
      await upsert({
        external_id: `u${n}`,
        email: `${name}@example.com`.replace('ä', 'z'),
        first_name: name,
      });
      app.clock.wind(1_000);
    }
    await upsert({ external_id: 'nameless' });
    app.clock.wind(1_000);
    await upsert({ external_id: 'u0', last_name: 'Touched' });
  });

  test.each<[string, string[]]>([
    ['', ['nameless', 'u4', 'u3', 'u2', 'u1', 'u0']],
    ['sort_order=asc', ['u0', 'u1', 'u2', 'u3', 'u4', 'nameless']],
    ['sort_by=updated_at', ['u0', 'nameless', 'u4', 'u3', 'u2', 'u1']],
    ['sort_by=external_id&sort_order=asc', ['nameless', 'u0', 'u1', 'u2', 'u3', 'u4']],
    // Sorted without regard to case; equal names by creation, contacts without a name first.
    ['sort_by=first_name&sort_order=asc', ['nameless', 'u1', 'u0', 'u4', 'u2', 'u3']],
    ['sort_by=first_name&sort_order=desc', ['u3', 'u2', 'u4', 'u0', 'u1', 'nameless']],
    ['sort_by=email&sort_order=asc', ['nameless', 'u1', 'u0', 'u4', 'u2', 'u3']],
    ['sort_by=last_name&sort_order=desc&per_page=1', ['u0']],
  ])('%s', async (query, expected) => {
    expect(idsOf(await list(query))).toEqual(expected);
  });

  test('pages are cut as asked for, limit is per_page, and beyond the end is nothing', async () => {
    const page = await list('per_page=4&page=2');
    expect([idsOf(page), page.body.meta]).toEqual([
      ['u1', 'u0'],
      { total: 6, page: 2, per_page: 4, total_pages: 2 },
    ]);
    expect((await list('limit=4&page=2')).body).toEqual(page.body);
    expect((await list('limit=1&per_page=4&page=2')).body).toEqual(page.body);
    const beyond = await list('page=9');
    expect([beyond.status, beyond.body]).toEqual([
      200,
      { data: [], meta: { total: 6, page: 9, per_page: 25, total_pages: 1 } },
    ]);
  });

  test('of an empty workspace there is no page', async () => {
    const { body } = await list('', await app.workspace());
    expect(body).toEqual({ data: [], meta: { total: 0, page: 1, per_page: 25, total_pages: 0 } });
  });

  test.each([
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['limit=101', 'limit'],
    ['per_page=2.5', 'per_page'],
    ['per_page=', 'per_page'],
    ['per_page=1&per_page=2', 'per_page'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1000001', 'page'],
    ['page=x', 'page'],
    ['sort_by=phone', 'sort_by'],
    ['sort_by=constructor', 'sort_by'],
    ['sort_order=up', 'sort_order'],
    ['search=a&search=b', 'search'],
    // Like every list of this service, it rejects unknown filters: a misspelt filter must not return all contacts.
    ['serach=ada', 'serach'],
  ])('refuses %s with 422', async (query, field) => {
    const { status, body } = await list(query);
    expect([status, body.code, body.errors[0].field]).toEqual([422, 'invalid_field', field]);
  });
});

describe('the list of GraphQL', () => {
  const PAGE = `query($first: Int!, $after: String, $sortBy: ContactSort!, $sortOrder: SortOrder!) {
    contacts(first: $first, after: $after, sortBy: $sortBy, sortOrder: $sortOrder) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { externalId } } } }`;
  const FIELDS = ['createdAt', 'updatedAt', 'email', 'externalId', 'firstName', 'lastName'];
  const ORDERS = FIELDS.flatMap((sortBy) => ['asc', 'desc'].map((sortOrder) => ({ sortBy, sortOrder })));
  const NAMES = ['Ada', 'ada', 'ADA', 'Ünal', 'ünal', 'ΣΑΣ', 'σας', 'İ', 'i', ''];

  const page = async (variables: object): Promise<any> => {
    const { body } = await workspace.graphql(PAGE, { first: 7, after: null, ...variables });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.contacts;
  };
  const bulk = async (from: number, count: number): Promise<void> => {
    const contacts = Array.from({ length: count }, (_, i) => ({
      external_id: `c${from + i}`,
      first_name: NAMES[(from + i) % NAMES.length],
      ...(i % 3 === 0 ? {} : { last_name: 'Same' }),
      ...(i % 4 === 0 ? {} : { email: `${i % 2 ? 'Q' : 'q'}${i % 5}@example.com` }),
    }));
    const { body } = await workspace.call('POST', '/v1/contacts/bulk', { contacts });
    if (body.created !== count) throw new Error(JSON.stringify(body));
  };
  /** Reads all contacts page by page; `between` runs after each page. */
  async function walk(
    order: object,
    between: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | null = null; ;) {
      const { edges, pageInfo } = await page({ ...order, after });
      found.push(...edges.map((edge: { node: { externalId: string } }) => edge.node.externalId));
      expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor ?? null);
      if (!pageInfo.hasNextPage) return found;
      after = pageInfo.endCursor;
      await between();
    }
  }

  beforeAll(async () => {
    workspace = await app.workspace();
    for (let from = 0; from < 60; from += 20) {
      await bulk(from, 20);
      app.clock.wind(1_000);
    }
  });

  test.each(ORDERS)(
    'goes through 60 contacts by $sortBy $sortOrder without gap or repetition',
    async (order) => {
      const found = await walk(order);
      expect(found).toHaveLength(60);
      expect(new Set(found).size).toBe(60);
      // The same order as by page.
      const by = order.sortBy.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const listed = await list(`per_page=100&sort_by=${by}&sort_order=${order.sortOrder}`);
      expect(found).toEqual(idsOf(listed));
    },
  );

  test.each(ORDERS)('shows each once by $sortBy $sortOrder while contacts are added', async (order) => {
    const mine = workspace;
    workspace = await app.workspace();
    try {
      for (let from = 0; from < 60; from += 20) await bulk(from, 20);
      let serial = 0;
      const found = await walk(order, () =>
        ++serial <= 8
          ? upsert({
              external_id: `new${serial}`,
              first_name: NAMES[serial],
              email: `r${serial}@example.com`,
            })
          : Promise.resolve(),
      );
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((id) => id.startsWith('c'))).toHaveLength(60);
    } finally {
      workspace = mine;
    }
  });

  test('counts all, also from the middle; the last page has no next', async () => {
    const order = { sortBy: 'createdAt', sortOrder: 'desc' };
    const { pageInfo } = await page({ ...order, first: 59 });
    expect(pageInfo.hasNextPage).toBe(true);
    const last = await page({ ...order, after: pageInfo.endCursor });
    expect([last.totalCount, last.edges.length, last.pageInfo.hasNextPage]).toEqual([60, 1, false]);
    const beyond = await page({ ...order, after: last.pageInfo.endCursor });
    expect([beyond.edges, beyond.pageInfo]).toEqual([
      [],
      { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    ]);
  });

  test('a cursor of elsewhere is refused, and so is a page of a wrong size', async () => {
    const forged = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const id = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0';
    const { pageInfo } = await page({ sortBy: 'email', sortOrder: 'asc' });
    for (const [variables, field] of [
      [{ after: 'nonsense' }, 'after'],
      [{ after: pageInfo.endCursor }, 'after'],
      [{ after: forged(['contacts by updatedAt', 'yesterday', id]), sortBy: 'updatedAt' }, 'after'],
      [{ after: forged(['contacts by createdAt', '', 'x']) }, 'after'],
      [{ first: 0 }, 'first'],
      [{ first: 101 }, 'first'],
    ] as const) {
      const order = { sortBy: 'createdAt', sortOrder: 'desc', first: 7 };
      const { body } = await workspace.graphql(PAGE, { ...order, ...variables });
      expect(body.errors[0].extensions).toMatchObject({
        code: 'invalid_field',
        status: 422,
        errors: [{ field }],
      });
    }
  });

  test('a cursor shows nothing of another workspace or environment', async () => {
    const other = await app.workspace();
    await upsert({ external_id: 'theirs' }, other);
    const order = { sortBy: 'createdAt', sortOrder: 'desc', first: 7 };
    const { pageInfo } = await page(order);
    const { body } = await other.graphql(PAGE, { ...order, after: pageInfo.endCursor, sortOrder: 'asc' });
    const found = body.data.contacts.edges.map(
      (edge: { node: { externalId: string } }) => edge.node.externalId,
    );
    expect(found).toEqual(['theirs']);
  });
});
