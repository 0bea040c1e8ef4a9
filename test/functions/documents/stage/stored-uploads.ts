import { everyItem } from '../../../stores/whole-table.ts';

/** The state of every upload in the table. */
export async function storedUploads(): Promise<(string | undefined)[]> {
  const items = await everyItem('documents');
  return items.filter(({ sk }) => sk?.S === 'UPLOAD').map(({ state }) => state?.S);
}
