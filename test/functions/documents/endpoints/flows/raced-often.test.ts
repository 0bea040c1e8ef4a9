import { expect, test } from 'vitest';
import { forFile } from '../../../../runner/for-file.ts';
import { signingStage } from '../signing/stage.ts';
import { raceEdits } from './race-edits.ts';

const stage = await forFile(signingStage());

test.each(['certificate', 'electronic'] as const)(
  '200 edits that meet a signature (%s) are each one of the two orders',
  async (kind) => {
    const outcomes = await raceEdits(stage, 200, kind);
    expect(outcomes.signed + outcomes.edited).toBe(200);
    expect(Math.min(outcomes.signed, outcomes.edited)).toBeGreaterThanOrEqual(50);
  },
);
