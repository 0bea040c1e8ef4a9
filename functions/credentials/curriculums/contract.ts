import * as z from 'zod';
import { Id, INSTITUTE_ID, ITEM, ItemModel, Line, Reason, Version, XmlUploads } from '../items/shapes.ts';

const CURRICULUM = { code: 'CIV-2026', course: 'Engenharia Civil', version: '1.05' } as const;

export const CreateCurriculum = z
  .object({
    code: Line.describe('The code that the institution gives it.'),
    course: Line,
    instituteId: Id.describe('The institute whose curriculum it is.'),
    version: Version,
    files: XmlUploads,
  })
  .meta({
    description: 'A curriculum to create.',
    examples: [{ ...CURRICULUM, instituteId: INSTITUTE_ID }],
  });

export const Curriculum = ItemModel.extend({
  code: z.string(),
  course: z.string(),
  iesName: z.string().describe('The name of the institution.'),
  version: z.string(),
  validationCode: z.string().describe('No other curriculum, degree or transcript has it.'),
}).meta({
  description: 'The curriculum of a course. It is concluded when its file is signed.',
  examples: [
    {
      ...ITEM,
      ...CURRICULUM,
      iesName: 'Universidade Exemplo',
      validationCode: '1234.1234.fd61a03af4f77d87',
    },
  ],
});

export const CancelCurriculum = z.object({ reason: Reason }).meta({
  description: 'Why a curriculum is canceled.',
  examples: [{ reason: 'Replaced by CIV-2027' }],
});
