import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreateFolder, FolderModel } from '../../contract/folders.ts';
import { createFolder } from '../../domain/places/create-folder.ts';
import { renderFolder } from '../../domain/places/folder.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/folders',
    can: 'folders.change',
    summary: 'Create a folder',
    description: 'Creates a folder in the organization of the key, at the root or inside another folder.',
    body: jsonBody(CreateFolder),
    answers: { 200: FolderModel },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'FolderNotFound', 'FolderTooDeep'],
    once: true,
  },
  async ({ body, caller, once }) =>
    once(body, async () => renderFolder(await createFolder(caller, body, Date.now()))),
);
