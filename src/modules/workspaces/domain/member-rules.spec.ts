import type { Identity } from '../../../kernel/principal.js';
import {
  accepted,
  activated,
  deactivated,
  ownershipTransferred,
  withRole,
  isInvited,
} from './member-rules.js';
import { MAX_MEMBER_NAME_LENGTH, stateOf, type Member } from './member.js';

const NOW = new Date('2026-03-02T09:00:00Z');
const active: Member = {
  id: 'm',
  workspaceId: 'w',
  email: 'Dora@acme.test',
  name: 'Dora',
  role: 'developer',
  isActive: true,
  inviteAcceptedAt: NOW,
  identitySubject: 's',
  createdAt: NOW,
};
const pending: Member = {
  ...active,
  name: '',
  isActive: false,
  inviteAcceptedAt: null,
  identitySubject: null,
};
const former: Member = { ...active, isActive: false };
const owner: Member = { ...active, id: 'o', role: 'owner' };
const dora: Identity = {
  subject: 'dora',
  verifiedEmail: 'dora@ACME.test',
  email: 'dora@acme.test',
  name: 'Dora D.',
};

test('a member is pending, active or deactivated', () => {
  expect([pending, active, former].map(stateOf)).toEqual(['pending', 'active', 'deactivated']);
});

test('a role is given to everybody but oneself and the owner', () => {
  for (const member of [active, pending, former]) expect(withRole(member, 'admin', 'o').role).toBe('admin');
  expect(() => withRole(active, 'admin', 'm')).toThrow('member_protected');
  expect(() => withRole(owner, 'admin', 'm')).toThrow('member_protected');
});

test('who is deactivated keeps the record; an invitation leaves none', () => {
  expect(deactivated(active, 'o')).toEqual(former);
  expect(deactivated(former, 'o')).toEqual(former);
  expect(deactivated(pending, 'o')).toBe('removed');
  expect(() => deactivated(active, 'm')).toThrow('member_protected');
  expect(() => deactivated(owner, 'm')).toThrow('member_protected');
});

test('who was deactivated comes back as it was; nobody accepts in another’s place', () => {
  expect(activated(former)).toEqual(active);
  expect(activated(active)).toEqual(active);
  expect(() => activated(pending)).toThrow('member_pending');
});

test('the owner changes places with an active member', () => {
  const { former: before, next } = ownershipTransferred(owner, active);
  expect([before.role, next.role]).toEqual(['admin', 'owner']);
  expect(() => ownershipTransferred(owner, owner)).toThrow('member_protected');
  for (const heir of [pending, former])
    expect(() => ownershipTransferred(owner, heir)).toThrow('member_pending');
});

test('an invitation is accepted by whose verified email it was sent to, whatever its case', () => {
  expect(isInvited(dora, pending)).toBe(true);
  expect(isInvited({ ...dora, verifiedEmail: undefined }, pending)).toBe(false);
  expect(isInvited({ ...dora, verifiedEmail: 'other@acme.test' }, pending)).toBe(false);
  expect([active, former].map((member) => isInvited(dora, member))).toEqual([false, false]);
});

test('accepting links the identity, and takes its name where none was given', () => {
  expect(accepted(pending, dora, NOW)).toEqual({ ...active, name: 'Dora D.', identitySubject: 'dora' });
  expect(accepted({ ...pending, name: 'D.' }, dora, NOW).name).toBe('D.');
  const long = accepted(pending, { ...dora, name: '🎉'.repeat(400) }, NOW).name;
  expect([...long]).toHaveLength(MAX_MEMBER_NAME_LENGTH);
});
