/** A wrong or missing variable; its message is one line that names the variable and the mend. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
