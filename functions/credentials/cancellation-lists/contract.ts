import * as z from 'zod';
import { ITEM, ItemModel, Version } from '../items/shapes.ts';

export const CreateCancellationList = z.object({ version: Version }).meta({
  description: 'The next list of annulled degrees.',
  examples: [{ version: '1.05' }],
});

export const CancellationList = ItemModel.extend({
  iesCode: z.string().describe('The e-MEC code of the registering institution.'),
  iesName: z.string(),
  sequenceNumber: z.int().describe('From 1, without a gap.'),
  version: z.string(),
  maximumNextUpdateDate: z.iso.datetime().describe('When the next list is due.'),
  annulledDegreesNumber: z.int().describe('How many degrees it names. A list may have none.'),
}).meta({
  description: 'A list of annulled degrees: those that were annulled since the list before.',
  examples: [
    {
      ...ITEM,
      iesCode: '1234',
      iesName: 'Universidade Exemplo',
      sequenceNumber: 1,
      version: '1.05',
      maximumNextUpdateDate: '2026-03-09T12:00:00.000Z',
      annulledDegreesNumber: 2,
    },
  ],
});
