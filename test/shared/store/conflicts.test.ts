import { expect, test } from 'vitest';
import { commit } from '../../../shared/store/commit.ts';
import { counter } from '../../../shared/store/counter.ts';
import { STRICT_DYNAMO } from '../../strict-dynamo.ts';
import { requestsOf } from './requests.ts';

// The DynamoDB of npm test cancels transactions that meet, as AWS does. Other stores may let them wait.
const cancels = process.env[STRICT_DYNAMO] !== undefined;

const COMMITS = 6;

test.runIf(cancels)(
  'commits that meet on an item all land, because the canceled ones are sent again',
  async () => {
    const counts = counter({ service: 'sandbox', name: crypto.randomUUID() });
    const both = () => commit([counts.adding('left'), counts.adding('right')]);
    const sent = await requestsOf(() => Promise.all(Array.from({ length: COMMITS }, both)));
    expect([await counts.read('left'), await counts.read('right')]).toEqual([COMMITS, COMMITS]);
    expect(sent.TransactWriteItems).toBeGreaterThan(COMMITS);
  },
);
