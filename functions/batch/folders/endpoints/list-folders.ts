import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { Folders } from '../contract.ts';
import { listFolders } from '../domain/list-folders.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/folders',
    summary: 'List the input folders',
    description:
      'The folders of `Storage:Inputs`, as their last scans left them, with what is in them now. A folder that does not answer in 5 s is shown with its error.',
    tag: 'folders',
    query: NoQuery,
    answers: { 200: Folders },
    refuses: ['auth.misconfigured'],
  },
  async () => listFolders(),
);
