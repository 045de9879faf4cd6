/** A worker thread: runs the tasks that modules register, and nothing else. */
import { threadHandlerOf } from '../kernel/thread-task.js';
import { TEST_MESSAGES } from '../modules/delivery/domain/test-content.js';
import { DESCRIBE } from '../modules/imports/domain/files/describe-file.js';
import { INSPECT_THREAD_TASKS } from '../modules/inspect/domain/inspect-thread-tasks.js';
import { TEMPLATE_TASKS } from '../modules/templates/domain/template-tasks.js';

export default threadHandlerOf([...TEMPLATE_TASKS, ...INSPECT_THREAD_TASKS, TEST_MESSAGES, DESCRIBE]);
