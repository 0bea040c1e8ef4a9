import { expect, test, vi } from 'vitest';
import { createStore } from '../../../../../infra/local/stores/dynamo/dynalite.ts';
import { stopAtFirstFailure } from '../../../../../infra/local/stores/dynamo/recovery.ts';

test('after a write failed on a full disk, none is acknowledged until a restart', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const store = createStore();
  const write = vi.spyOn(store.db, 'batch');
  stopAtFirstFailure(store);
  await store.db.batch([{ type: 'put', key: 'a', value: 1 }]);

  write.mockRejectedValueOnce(new Error('No space left on device'));
  await expect(store.db.batch([{ type: 'put', key: 'b', value: 1 }])).rejects.toThrow('No space left');
  await expect(store.db.batch([{ type: 'put', key: 'c', value: 1 }])).rejects.toThrow(
    /no more writes.*Restart/,
  );

  expect(write).toHaveBeenCalledTimes(2);
  expect(said).toHaveBeenCalledTimes(1);
  expect(await store.db.get('c')).toBeUndefined();
});
