/** A worker thread: runs the tasks that modules register, and nothing else. */
import { workOf } from '../kernel/thread-task.js';
import { TEST_MESSAGES } from '../modules/delivery/domain/test-content.js';
import { DESCRIBE } from '../modules/imports/domain/files/describe-file.js';
import { INSPECT_WORK } from '../modules/inspect/domain/inspect-work.js';
import { TEMPLATE_TASKS } from '../modules/templates/domain/template-tasks.js';

export default workOf([...TEMPLATE_TASKS, ...INSPECT_WORK, TEST_MESSAGES, DESCRIBE]);
