/** Where the threads of every process begin. */
export const THREAD_ENTRY = new URL('./thread.main.js', import.meta.url);
