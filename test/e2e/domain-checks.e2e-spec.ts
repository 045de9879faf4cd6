/** Overlapping DNS checks of a sending domain. */
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DnsServer } from '../support/dns-server.js';
import { ADD, CHECK, LIST, recordOf, setRecordsOf, type ShownDomain } from '../support/sending-domains.js';
import { until } from '../support/until.js';

/** DNS queries of one check of an organisational domain. */
const QUESTIONS = 6;

let dns: DnsServer;
let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  dns = await DnsServer.start();
  app = await bootApp({ env: { DNS_SERVERS: dns.address } });
});
afterAll(async () => {
  await app?.close();
  await dns?.stop();
});
beforeEach(async () => {
  workspace = await app.workspace();
});

async function asked(query: string, variables: object, by: TestWorkspace): Promise<ShownDomain> {
  const { body } = await by.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return Object.values(body.data as object)[0] as ShownDomain;
}
const check = ({ id }: ShownDomain, by = workspace): Promise<ShownDomain> => asked(CHECK, { id }, by);
const shown = async (id: string): Promise<ShownDomain> =>
  (await workspace.graphql(LIST)).body.data.sendingDomains.edges
    .map(({ node }: { node: ShownDomain }) => node)
    .find((domain: ShownDomain) => domain.id === id);

/** Adds a domain and sets its records. */
async function added(domain: string, by = workspace): Promise<ShownDomain> {
  const own = await asked(ADD, { domain }, by);
  setRecordsOf(dns, own);
  return own;
}

test('one that is answered late takes nothing back of a later one', async () => {
  const own = await check(await added('late.test'));
  expect(own.status).toBe('verified');
  const { host, value } = recordOf(own, 'dkim');
  dns.remove('TXT', host);
  const release = dns.hold(QUESTIONS);
  const late = check(own);
  await until('all was asked', () => dns.holding === QUESTIONS);
  dns.set('TXT', host, value);
  app.clock.wind(1);
  const later = await check(own);
  expect(later.status).toBe('verified');
  release();
  expect(await late).toEqual(later);
  expect(await shown(own.id)).toEqual(later);
});
