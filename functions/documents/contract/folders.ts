import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { line, orNull } from './fields.ts';
import { caseInsensitive, Paging, pageOf } from './lists.ts';

export const FolderParams = z.object({ id: pathId() });

export const CreateFolder = z.object({
  name: line(),
  parentId: orNull(z.uuid()).describe('The folder it is made in; none, at the root of the organization.'),
});

export const FolderModel = z.object({
  id: z.string(),
  name: z.string(),
  parentId: z.string().nullable(),
  organizationId: z.string(),
  creationDate: z.iso.datetime(),
});

export const FolderDetails = FolderModel.extend({
  parents: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe('The way to it, the outermost first.'),
  documentCount: z.int().describe('In the folder itself, those below it left out.'),
});

export const FoldersQuery = caseInsensitive(
  Paging.extend({
    organizationId: z.string().max(64).optional().describe('Left out, the first that the key is scoped to.'),
    filterByParent: z
      .stringbool()
      .optional()
      .describe(
        '`true`: only those right in `parentId`, or with none, at the root. Left out: whether there is a `parentId`.',
      ),
    parentId: z.string().max(64).optional(),
  }),
);

export const Folders = pageOf(FolderModel);
