/** Section 8.1: groups, limits of single endpoints, exempt paths. */
import { classOf } from './endpoint.js';

test.each([
  ['POST', '/v1/events', 'events', undefined],
  ['POST', '/v1/events/batch', 'events', undefined],
  ['GET', '/v1/events', 'general', undefined],
  ['POST', '/v1/send', 'send', undefined],
  ['POST', '/graphql', 'general', undefined],
  ['GET', '/v1/flows/:flowId', 'general', undefined],
  ['POST', '/v1/contacts/bulk', 'general', 'contacts_bulk'],
  ['GET', '/v1/analytics/export', 'general', 'analytics_export'],
  ['HEAD', '/v1/analytics/export', 'general', 'analytics_export'],
  ['POST', '/v1/segments/:segmentId/evaluate', 'general', 'segment_evaluate'],
] as const)('%s %s falls under %s', (method, route, group, own) => {
  const found = classOf(method, route);
  expect([found?.group, found?.own?.name]).toEqual([group, own]);
});

test.each(['/health', '/health/ready', '/health/live', '/metrics', '/docs', '/openapi.json'])(
  '%s is exempt',
  (route) => expect(classOf('GET', route)).toBeUndefined(),
);

test.each([
  ['GET', '/.well-known/jwks.json', true],
  ['GET', '/docs/swagger-ui.css', true],
  ['GET', '/graphql/assets/graphiql.css', true],
  ['GET', '/health/x', true],
  ['GET', '/', true],
  ['GET', '/v1/public/unsubscribe', true],
  ['POST', '/v1/public/unsubscribe', true],
  ['PUT', '/v1/public/unsubscribe', false],
  ['GET', '/v1/public/reports/stop', true],
  ['POST', '/v1/public/reports/stop', true],
  ['POST', '/v1/public/reports/confirm', true],
  ['POST', '/v1/public/reports/other', false],
  ['POST', '/v1/webhooks/email', true],
  ['POST', '/v1/webhooks/payment', true],
  ['POST', '/v1/webhooks/billing', true],
  ['GET', '/v1/webhooks/email', false],
  ['POST', '/v1/webhooks/email/:id', false],
  ['POST', '/graphql', false],
  ['GET', '/v1/templates', false],
] as const)('%s %s is counted only where it is refused: %p', (method, path, only) =>
  expect(classOf(method, path)?.countsOnlyRejections).toBe(only),
);
