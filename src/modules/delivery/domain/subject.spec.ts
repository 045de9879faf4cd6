import { resolveSubject } from './subject.js';

test.each([
  [{ directSend: 'a', flowStep: 'b', campaign: 'c', template: 'd' }, 'a'],
  [{ directSend: '', flowStep: 'b', campaign: 'c', template: 'd' }, 'b'],
  [{ directSend: null, flowStep: '  ', campaign: 'c', template: 'd' }, 'c'],
  [{ template: 'd' }, 'd'],
  [{ template: null }, ''],
  [{}, ''],
])('resolveSubject(%j)', (sources, subject) => {
  expect(resolveSubject(sources)).toBe(subject);
});
