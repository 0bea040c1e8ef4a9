// Run as a process of its own: acquires slots, says so, and holds them until it is killed.
import '../../../stores/child-stores.ts';
import { distributedSemaphore } from '../../../../shared/store/semaphore/semaphore.ts';

const [name = '', slots = '1'] = process.argv.slice(2);
const semaphore = distributedSemaphore({ service: 'sandbox', name });
const request = { limit: Number(slots), queueLimit: 0, waitMs: 0 };
const acquired = await Promise.all(Array.from({ length: Number(slots) }, () => semaphore.acquire(request)));
process.send?.({ acquired: acquired.filter(Boolean).length });
setInterval(() => undefined, 60_000);
