//! Nothing: the tests are all that there is. They are a package of their own, since a validator of JSON Schema is large.
