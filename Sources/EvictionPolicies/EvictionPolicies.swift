// EvictionPolicies
