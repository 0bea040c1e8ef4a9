// Run as a process of its own: enters a gate, says so, and stays inside until it is killed.
import { distributedSemaphore } from '../../../../shared/store/semaphore/semaphore.ts';

const [name = '', places = '1', leaseMs = '60000'] = process.argv.slice(2);
const gate = distributedSemaphore({ service: 'sandbox', name });
const entry = { limit: Number(places), queueLimit: 0, leaseMs: Number(leaseMs), waitMs: 0 };
const tickets = await Promise.all(Array.from({ length: Number(places) }, () => gate.acquire(entry)));
process.send?.({ inside: tickets.filter(Boolean).length });
setInterval(() => undefined, 60_000);
