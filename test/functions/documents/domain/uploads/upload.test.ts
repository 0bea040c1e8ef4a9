import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Upload,
  uploadStates,
  uploads,
} from '../../../../../functions/documents/domain/uploads/upload.ts';
import { NotAllowed, transition } from '../../../../../shared/store/state-machine.ts';
import { runs } from '../../../../faults/fuzz.ts';

const anUpload = (): Upload => ({
  id: randomUUID(),
  organizationId: randomUUID(),
  state: 'Receiving',
  name: null,
  contentType: 'text/plain',
  size: 0,
  md5: '',
});

describe('the states of an upload', () => {
  test('lead from Receiving to Received, and from there to the document that takes it or to its collection', () => {
    expect(uploadStates.states).toEqual(['Receiving', 'Received', 'Taken', 'Collecting']);
    expect(uploadStates.next('Receiving', 'received')).toBe('Received');
    expect(uploadStates.next('Received', 'taken')).toBe('Taken');
    expect(uploadStates.states.filter(uploadStates.isTerminal)).toEqual(['Taken', 'Collecting']);
  });

  test('let nothing be taken that has not arrived, and nothing be collected that is taken', () => {
    expect(uploadStates.accepts('Receiving', 'taken')).toBe(false);
    expect(uploadStates.accepts('Taken', 'expired')).toBe(false);
    expect(uploadStates.accepts('Collecting', 'taken')).toBe(false);
  });

  test('are walked by any sequence of events as the table says; a refused event writes nothing', async () => {
    const events = fc.array(fc.constantFrom(...uploadStates.events), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(events, async (walk) => {
        let upload = await uploads.create(anUpload());
        for (const event of walk) {
          const next = uploadStates.next(upload.state, event);
          if (next) upload = await transition(uploads, uploadStates, upload, event);
          else await expect(transition(uploads, uploadStates, upload, event)).rejects.toThrow(NotAllowed);
          expect(await uploads.get(upload.id)).toEqual(upload);
        }
      }),
      { numRuns: runs(10) },
    );
  });
});
