import { ConfigError } from '../../../platform/config/config-error.js';
import { PROVIDER_NAMES, providerNamed } from './registry.js';

test('an entry names its provider; without a name it is send_raw', () => {
  expect(providerNamed().name).toBe('send_raw');
  expect(providerNamed('send_raw')).toBe(providerNamed());
  for (const name of ['', 'SEND_RAW', '__proto__'])
    expect(() => providerNamed(name)).toThrow(
      new ConfigError(`MAIL_PROVIDERS has api=${name}: use one of ${PROVIDER_NAMES.join(', ')}.`),
    );
});
