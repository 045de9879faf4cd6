import { contactAssignments } from './contact-assignments.js';

test.each([
  [{}, {}],
  [{ first_name: 'Ada' }, { firstName: 'Ada' }],
  [{ first_name: null }, { firstName: null }],
  [{ plan: 'pro', seats: 3 }, { properties: { plan: 'pro', seats: 3 } }],
  [{ 'properties.plan': 'pro' }, { properties: { plan: 'pro' } }],
  [{ plan: null }, { properties: { plan: null } }],
  [
    { properties: { plan: 'pro', first_name: 'x' }, seats: 3 },
    { properties: { plan: 'pro', first_name: 'x', seats: 3 } },
  ],
  [{ properties: {} }, {}],
  // Refers to a property of this name, since only an object can contain others.
  [{ properties: 'all' }, { properties: { properties: 'all' } }],
  [
    { email: 'ada@x.test', plan: 'pro' },
    { email: 'ada@x.test', properties: { plan: 'pro' } },
  ],
])('%j sets %j', (set, changes) => {
  expect(contactAssignments({ ...set })).toEqual(changes);
});
