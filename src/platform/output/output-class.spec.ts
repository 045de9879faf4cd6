import { Out, Output, oneOf, restOf } from './output-class.js';
import { restPage } from './pages.js';

@Output({ rest: 'PersonResponse' })
class PersonOutput {
  @Out('ID') id: string;
  @Out('String', { nullable: true }) firstName: string | null;
  @Out(oneOf(['yes', 'no'])) isKnown: string;
  @Out('DateTime', { nullable: true }) createdAt: Date | null;
  @Out('JSON') givenNames: unknown;
  @Out('Int', { only: 'graphql' }) tripCount: number;
  @Out('Int', { only: 'rest' }) pageCount: number;
  @Out('String', { optional: true }) note?: string;
}

@Output({ rest: 'TeamResponse' })
class TeamOutput extends PersonOutput {
  @Out(PersonOutput, { nullable: true }) teamLead: PersonOutput | null;
  @Out([PersonOutput]) teamMembers: readonly PersonOutput[];
  @Out(['String']) tags: readonly string[];
}

const ada: PersonOutput = {
  id: '1',
  firstName: 'Ada',
  isKnown: 'yes',
  createdAt: new Date('2026-03-02T09:00:00Z'),
  givenNames: { familyName: 'Lovelace' },
  tripCount: 3,
  pageCount: 2,
};
const adaInRest = {
  id: '1',
  first_name: 'Ada',
  is_known: 'yes',
  created_at: '2026-03-02T09:00:00.000Z',
  given_names: { familyName: 'Lovelace' },
  page_count: 2,
};

test('a record in REST has the fields of its class in snake_case', () => {
  expect(restOf(PersonOutput, ada)).toStrictEqual(adaInRest);
});

test('members that the class does not declare stay inside', () => {
  expect(restOf(PersonOutput, { ...ada, passwordHash: 'x' } as PersonOutput)).toStrictEqual(adaInRest);
});

test('null stays null, and an optional field without a value is omitted', () => {
  expect(restOf(PersonOutput, { ...ada, firstName: null, createdAt: null, note: 'n' })).toStrictEqual({
    ...adaInRest,
    first_name: null,
    created_at: null,
    note: 'n',
  });
});

test('nested records and the fields of a base class', () => {
  const team: TeamOutput = { ...ada, teamLead: ada, teamMembers: [ada], tags: ['a_b'] };
  expect(restOf(TeamOutput, team)).toStrictEqual({
    ...adaInRest,
    team_lead: adaInRest,
    team_members: [adaInRest],
    tags: ['a_b'],
  });
  expect(restOf(TeamOutput, { ...team, teamLead: null, teamMembers: [] })).toMatchObject({
    team_lead: null,
    team_members: [],
  });
});

test('a field with another name, type or null value in REST', () => {
  class NameOutput {
    @Out('String') firstName: string | null;
  }
  class GuideOutput {
    @Out(PersonOutput, { nullable: true, inRest: { name: 'tourGuide', type: NameOutput } })
    guide: PersonOutput | null;
    @Out('Float', { nullable: true, inRest: { ifNull: 0 } }) openRate: number | null;
  }
  expect(restOf(GuideOutput, { guide: ada, openRate: null })).toStrictEqual({
    tour_guide: { first_name: 'Ada' },
    open_rate: 0,
  });
  expect(restOf(GuideOutput, { guide: null, openRate: 1.5 })).toStrictEqual({
    tour_guide: null,
    open_rate: 1.5,
  });
});

test('a field can have another value in REST, by its record', () => {
  class StatusOutput {
    @Out('DateTime', {
      nullable: true,
      inRest: { value: (at: Date, { isDue }: StatusOutput) => (isDue ? at : null) },
    })
    nextAt: Date | null;
    @Out(['String'], { inRest: { value: (name: string) => name.toUpperCase() } }) names: readonly string[];
    isDue: boolean;
  }
  const at = new Date('2026-03-02T09:00:00Z');
  expect(restOf(StatusOutput, { nextAt: at, names: ['a'], isDue: true })).toStrictEqual({
    next_at: '2026-03-02T09:00:00.000Z',
    names: ['A'],
  });
  expect(restOf(StatusOutput, { nextAt: at, names: [], isDue: false })).toStrictEqual({
    next_at: null,
    names: [],
  });
});

test('a page names its items', () => {
  class PeopleOutput extends restPage('PersonListResponse', 'knownPeople', PersonOutput) {
    @Out('Int') hiddenCount: number;
  }
  const page = { knownPeople: [ada], total: 1, limit: 50, offset: 0, hiddenCount: 4 };
  expect(restOf(PeopleOutput, page)).toStrictEqual({
    known_people: [adaInRest],
    total: 1,
    limit: 50,
    offset: 0,
    hidden_count: 4,
  });
});
