import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { OrganizationInfo } from './documents.ts';
import { FOLDER, FOLDER_ID, ORGANIZATION } from './examples.ts';
import { line, orNull } from './fields.ts';
import { caseInsensitive, Paging, pageOf } from './lists.ts';

export const FolderParams = z.object({
  id: pathId().meta({ description: 'The id of the folder.', examples: [FOLDER_ID] }),
});

export const CreateFolder = z
  .object({
    name: line(),
    parentId: orNull(z.uuid()).describe('The folder it is made in; none, at the root of the organization.'),
  })
  .meta({
    description: 'The name of the folder and where it is made.',
    examples: [{ name: 'Contracts', parentId: null }],
  });

export const FolderModel = z
  .object({
    id: z.string(),
    name: z.string(),
    parentId: z.string().nullable(),
    organizationId: z.string(),
    creationDate: z.iso.datetime(),
  })
  .meta({ description: 'A folder.', examples: [FOLDER] });

export const FolderWithOrganization = FolderModel.extend({
  organization: OrganizationInfo.nullable().describe('Null for a personal one.'),
}).meta({ description: 'A folder, and whose it is.', examples: [{ ...FOLDER, organization: ORGANIZATION }] });

export const DeleteFolder = z
  .object({
    deleteAction: z
      .enum(['MoveContent', 'DeleteContent'])
      .describe('Whether what is in the folder is moved first, or deleted with it.'),
    destinationFolderId: orNull(z.uuid()).describe('Of `MoveContent`. None: the root of the organization.'),
  })
  .meta({
    description: 'What becomes of the content of a folder that is deleted.',
    examples: [{ deleteAction: 'MoveContent', destinationFolderId: null }],
  });

export const FolderDetails = FolderModel.extend({
  parents: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe('The way to it, the outermost first.'),
  documentCount: z.int().describe('In the folder itself, those below it left out.'),
}).meta({
  description: 'A folder with the path to it.',
  examples: [{ ...FOLDER, parents: [], documentCount: 12 }],
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

export const Folders = pageOf(FolderModel).meta({
  description: 'One page of folders.',
  examples: [{ items: [FOLDER], totalCount: 1, nextCursor: null }],
});
