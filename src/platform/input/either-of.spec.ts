import { eitherOf } from './either-of.js';

interface Named {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

test.each<[Named]>([[{ id: 'a' }], [{ name: 'b' }]])('%j is one of the two', (input) =>
  expect(eitherOf(input, 'id', 'name')).toEqual(input),
);

test('what is left undefined is not given', () =>
  expect(eitherOf({ id: undefined, name: 'b' }, 'id', 'name')).toEqual({ name: 'b' }));

test.each<[Named]>([[{}], [{ id: undefined }], [{ id: 'a', name: 'b' }]])(
  '%j is refused, naming the first',
  (input) => {
    const errors = [
      { field: 'id', message: 'is required unless name is given; only one of the two is allowed' },
    ];
    expect(() => eitherOf(input, 'id', 'name')).toThrow(
      expect.objectContaining({ code: 'invalid_field', fields: { errors } }),
    );
  },
);
