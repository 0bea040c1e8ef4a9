import * as z from 'zod';
import { ITEM, ItemModel, Version } from '../items/shapes.ts';
import { INSPECTION_TYPES } from '../items/vocabulary.ts';

const Type = z
  .enum(INSPECTION_TYPES)
  .describe('`Issuer`: what the institute issued. `Registrar`: what it registered.');

const PERIOD = { type: 'Issuer', startDate: '2026-01-01', endDate: '2026-06-30', version: '1.05' } as const;

export const CreateInspectionFile = z
  .object({
    type: Type,
    startDate: z.iso.date().describe('The first day of the period, in UTC.'),
    endDate: z.iso.date().describe('The last day of the period, today or earlier.'),
    version: Version,
  })
  .meta({ description: 'An inspection file over a period.', examples: [PERIOD] });

export const InspectionFile = ItemModel.extend({
  type: Type,
  iesCode: z.string().describe('The e-MEC code of the institution.'),
  inspectedDegreesNumber: z.int().describe('How many degrees it names. 0 until it is generated.'),
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  version: z.string(),
  details: z.string().nullable().describe('Why it could not be generated.'),
}).meta({
  description: 'An inspection file: the degrees that an institute issued or registered in a period.',
  examples: [{ ...ITEM, ...PERIOD, iesCode: '1234', inspectedDegreesNumber: 42, details: null }],
});
