/** An invalid or missing variable. The message is one line with the variable and the fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
