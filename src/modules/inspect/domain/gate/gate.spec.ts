import { gatedTemplates, judge, type GatedTemplate, type GateFinding } from './gate.js';
import { inspectionBlocked, MAX_NOTICES } from './inspection-blocked.js';

const template = (id: string, more: Partial<GatedTemplate> = {}): GatedTemplate => ({
  ...{ id, slug: `slug-${id}`, version: 3, subjectGiven: false },
  ...more,
});
const finding = (templateId: string, code = 'LK001'): GateFinding => ({
  ...{ id: `${templateId} ${code}`, jobId: 'job', templateId, code, message: 'It is empty.' },
  category: 'links',
  ...{ line: 2, column: 4, snippet: null, clients: [] },
});

describe('templates of many places', () => {
  test.each([
    [['News'], true],
    [['News', 'Old news'], true],
    [['News', null], false],
    [[null, 'News'], false],
    [[null], false],
    [[' '], false],
    [['\u200b'], false],
    [[' \u2060\u00ad\u{e0041}\ufe0f'], false],
    [['\u200bNews'], true],
  ])('with the subjects %j: a subject is given: %j', (subjects, subjectGiven) => {
    const uses = subjects.map((subject) => ({ template: template('a'), subject }));
    expect(gatedTemplates(uses)).toEqual([template('a', { subjectGiven })]);
  });
});

describe('judging', () => {
  const NOTHING = { uninspected: [], blocked: [], warnings: [] };
  const [bad, fresh] = [template('bad'), template('fresh')];
  const facts = {
    inspected: new Set(['bad']),
    findings: [finding('bad')],
    overridden: new Set<string>(),
  };
  const reportedFinding = expect.objectContaining({
    ...{ templateSlug: 'slug-bad', templateVersion: 3, severity: 'critical', code: 'LK001', line: 2 },
    ...{ status: 'open', snoozedUntil: null, reason: null },
    title: expect.stringMatching(/./),
    fix: expect.stringMatching(/./),
  });

  test('off says nothing', () => {
    expect(judge([bad, fresh], { ...facts, blocking: 'off' })).toEqual(NOTHING);
  });

  test('warn tells, and has nothing examined', () => {
    expect(judge([bad, fresh], { ...facts, blocking: 'warn' })).toEqual({
      ...NOTHING,
      warnings: [reportedFinding],
    });
  });

  test('block keeps, and has examined what never was', () => {
    expect(judge([bad, fresh], { ...facts, blocking: 'block' })).toEqual({
      ...NOTHING,
      ...{ uninspected: [fresh], blocked: [reportedFinding] },
    });
  });

  test('what is overridden passes, examined or not', () => {
    const overridden = new Set(['bad', 'fresh']);
    expect(judge([bad, fresh], { ...facts, overridden, blocking: 'block' })).toEqual(NOTHING);
  });

  test.each(['warn', 'block'] as const)(
    'under %s a subject that is given makes up for none, and for nothing else',
    (blocking) => {
      const findings = [finding('bad', 'SJ001'), finding('bad')];
      const given = judge([template('bad', { subjectGiven: true })], { ...facts, findings, blocking });
      expect([...given.blocked, ...given.warnings].map(({ code }) => code)).toEqual(['LK001']);
      const missing = judge([bad], { ...facts, findings, blocking });
      expect([...missing.blocked, ...missing.warnings].map(({ code }) => code)).toEqual(['SJ001', 'LK001']);
    },
  );
});

describe('the refusal', () => {
  const blocking = { blocking: 'block', inspected: new Set(['a']), overridden: new Set<string>() } as const;
  const refusalOf = (findings: readonly GateFinding[], unexamined: readonly GatedTemplate[] = []) =>
    inspectionBlocked(judge([template('a')], { ...blocking, findings }).blocked, unexamined);

  test('spells findings as the face does', () => {
    const refusal = refusalOf([finding('a')]);
    expect(refusal.fields).toMatchObject({
      findings: [{ template_slug: 'slug-a', template_version: 3, job_id: 'job', code: 'LK001' }],
      errors: [{ field: 'template_slug', message: 'slug-a: LK001, line 2: It is empty.' }],
    });
    expect(refusal.fieldsAs((member) => member)).toMatchObject({
      findings: [{ templateSlug: 'slug-a', jobId: 'job' }],
      errors: [{ field: 'templateSlug' }],
    });
  });

  test('names templates that could not be examined', () => {
    const { detail, fields } = refusalOf([], [template('b')]);
    expect(detail).toContain('slug-b');
    expect(fields).toMatchObject({ findings: [], errors: [{ field: 'template_slug' }] });
  });

  test('is bounded', () => {
    const { fields } = refusalOf(Array.from({ length: MAX_NOTICES + 5 }, () => finding('a')));
    for (const listed of [fields['findings'], fields.errors]) expect(listed).toHaveLength(MAX_NOTICES);
  });
});
