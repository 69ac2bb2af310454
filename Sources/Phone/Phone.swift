// Phone
