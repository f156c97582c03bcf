// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension PreferenceBook {
    /// Takes in what another database holds that has come into use, before what is asked later.
    ///
    /// - Parameter completion: why the database cannot be read, or what is known cannot be stored in it.
    func takeInDatabase(completion: @escaping Completion<Void>) {
        hold { [self] error, over in
            if let error {
                completion(.failure(error))
                return over()
            }
            readStored { [self] result in
                switch result {
                case .failure(let error): completion(.failure(error))
                case .success(let stored):
                    performFirst(
                        { (transaction) throws(SentinelError) in
                            transaction.takeIn(stored)
                        }, completion: completion)
                }
                over()
            }
        }
    }
}
