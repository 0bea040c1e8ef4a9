import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';

/**
 * The degrees that an institute registers and that belong to another organization, by their time: they are not on the
 * list of its own. Those of emissions are known by their registration requests.
 */
export const registeredElsewhere = (instituteId: string) =>
  numberedList({ service: 'credentials', name: `registered/${instituteId}` });
