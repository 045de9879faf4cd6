/** The entry point of every process's worker threads. */
export const THREAD_ENTRY = new URL('./thread.main.js', import.meta.url);
