/** One store in this origin's IndexedDB. */
interface KeyValueDatabase {
  use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T>;
}

/** Opened for each use, so that an idle page holds no connection to it. */
export function openDatabase(name: string, storeName: string): KeyValueDatabase {
  const open = () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(storeName);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The store could not be opened.'));
    });
  return {
    async use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) {
      const database = await open();
      try {
        return await new Promise<T>((resolve, reject) => {
          const transaction = database.transaction(storeName, mode);
          const request = work(transaction.objectStore(storeName));
          transaction.oncomplete = () => resolve(request.result);
          transaction.onabort = () => reject(transaction.error ?? new Error('It could not be stored.'));
        });
      } finally {
        database.close();
      }
    },
  };
}
