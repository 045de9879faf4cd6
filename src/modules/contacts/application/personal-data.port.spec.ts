import { PersonalData, PersonalDataEraser } from './personal-data.port.js';

class RowsEraser extends PersonalDataEraser {
  constructor(
    readonly rows: string,
    private readonly count: number,
  ) {
    super();
  }

  override erase(): Promise<number> {
    return Promise.resolve(this.count);
  }
}

const [tx, scope, person] = [{}, {}, {}] as Parameters<PersonalData['erase']>;

test('each keeper tells its number under its own name', async () => {
  const all = new PersonalData([new RowsEraser('events', 2), new RowsEraser('emails', 0)]);
  expect([...(await all.erase(tx, scope, person))]).toEqual([
    ['events', 2],
    ['emails', 0],
  ]);
});

test('two keepers of one name do not start: one would hide what the other has erased', () =>
  expect(() => new PersonalData([new RowsEraser('events', 2), new RowsEraser('events', 3)])).toThrow(
    /the same name for their rows: events/,
  ));
